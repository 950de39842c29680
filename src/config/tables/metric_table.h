// The table of a metric's keys with what each row does to a metric of gate.toml.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/toml/raw_value.h"
#include "gate/base/result.h"
#include "gate/extract/extractor.h"
#include "gate/judge/formula.h"
#include "gate/model/metric.h"

namespace gate::config {

// A metric in the making.
struct Declared {
  Metric metric;
  extract::UserPattern pattern;  // the regex is "" where none is given
  std::string key = "";          // in JSON lines; "": none is given
  std::optional<judge::Formula> formula = std::nullopt;
};

// Set the key (`unit`) to the word. Fails as the key's type demands. The key is known.
Status set_metric_key(Declared& declared, std::string_view key, const RawValue& word);

// Fail unless the pattern is a regex with the group `value`.
Status compile(const Declared& declared);

}  // namespace gate::config
