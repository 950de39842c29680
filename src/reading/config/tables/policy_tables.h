// The tables of the keys of a rule, of a metric and of [jsonl], with what each row does to a Rule, to a
// metric of gate.toml and to the names of JSON lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/toml/toml_values.h"
#include "gate/base/result.h"
#include "gate/config/formulas.h"
#include "gate/extract/extractor.h"
#include "gate/judge/formula.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/rules/rule.h"

namespace gate::config {

// Assign the value to the key (`tolerance`, `waive.until`). Fails as the key's type demands. The key is
// known.
Status assign_rule_key(Rule& rule, std::string_view key, const RawValue& raw);

// Return the key's value as a user would write it; "" where the rule has none.
std::string show_rule_key(const Rule& rule, std::string_view key);

// A metric in the making.
struct Declared {
  Metric metric;
  extract::UserPattern pattern;  // the regex is "" where none is given
  std::string key = "";          // in JSON lines; "": none is given
  std::optional<judge::Formula> formula = std::nullopt;
};

// Assign the value to the key (`unit`). Fails as the key's type demands. The key is known.
Status assign_metric_key(Declared& declared, std::string_view key, const RawValue& raw);

// Assign the value to the key (`step`). Fails as the key's type demands. The key is known.
Status assign_json_key(extract::JsonNames& names, std::string_view key, const RawValue& raw);

}  // namespace gate::config
