// The words in which rules are written.
#pragma once

#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/rules/rule.h"

namespace gate {

// Return the tolerance of `±0.01`, `+-2%`, `-5 %`, `±0.01 or ±1%`, `exact`, `>= 0.75`, `> 0.75`, ... (`and`
// binds tighter than `or`; the signs ± +- +/- − ％ ＋ ≤ ≥ ≠ are read; blanks are free), or of `<= 2%`, the
// bound of a mean relative error, which stands alone. Fails, offering the readings, for a bare number, a zero
// amount, `exact` or `<= 2%` mixed with others, and anything else; the message quotes the text and marks the
// place.
Result<Tolerance> parse_tolerance(std::string_view text);

// Return the window of `all`, `first N`, `last N` (N >= 1), `A..B` (A <= B), `after N`, `step N` (from 0:
// some frameworks count so).
Result<Window> parse_window(std::string_view text);

// Return the reduce of its name, or an error with a suggestion.
Result<Reduce> parse_reduce(std::string_view text);
Result<RankMode> parse_rank_mode(std::string_view text);

// Fail if the tolerance bounds only the good side of the metric (`+5%` on throughput), or only one side of a
// metric that has no better side; constants alone (`<= 100` on a gradient norm) say their direction
// themselves and are good there. The message says which sign was probably meant.
Status check_direction(const Tolerance& tolerance, const Metric& metric);

// Between which numbers the values of a metric are; infinite where nothing bounds them.
struct NumberRange {
  double least = 0;
  double most = 0;
};

// Return 0 and up of speed and memory, 0 to 1 of a share, all numbers of anything else.
NumberRange number_range(const Metric& metric);

// Fail if no value of the range is outside of the tolerance: `<= 2.4 or >= 2.4`; of what is never below 0
// `-100%` and `>= 0`; of a share `±1`.
Status check_can_fail(const Tolerance& tolerance, std::string_view metric, const NumberRange& range);

}  // namespace gate
