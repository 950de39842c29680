// A sample as it comes, while its log grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gate/model/numbers/sample.h"

namespace gate {

// A sample that has just been read, before attempts are settled. Told are samples of the newest attempt only,
// each number of a metric and rank once and in rising order; a step that left out what was printed before
// comes as ValueKind::left_out. What is settled at the end may differ: a step printed again with another
// value is then in conflict, and a value that one source left out may come from another.
struct LiveSample {
  std::string_view metric;
  std::optional<int> rank;
  const Sample& sample;
  bool new_attempt = false;                         // the first sample after a step number fell
  std::size_t attempt = 0;                          // as far as is known: how often its source began anew
  std::optional<std::int64_t> step = std::nullopt;  // where its line says which step the run is at
};

}  // namespace gate
