// Values that another system's rules put side by side, and the check that they make.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/judge/judge.h"

namespace gate::judge {

struct Pair {
  std::int64_t number = 0;         // the step, or the place in a list, from 1
  std::optional<Sample> expected;  // none: the file names the number without a value
  std::optional<Sample> actual;    // none: it is not in the run
  bool close = false;              // as the profile sees it

  bool is_finite() const;  // on both sides
};

struct Comparing {
  const JudgeInput& question;
  std::string name;  // of the rule
  std::string metric;
  std::optional<int> rank = std::nullopt;
  Numbering numbered = Numbering::step;
  std::string unit = {};
  Tolerance tolerance = {};
};

// Return a check with its names, no numbers, and the remark.
Check make_check(const Comparing& comparing, CheckStatus status, std::optional<Remark> remark = {});

// Return the check of each pair: `passes` is the profile's word. A failure is `missing` where nothing but
// absent values causes it. The remark goes in front of those on values that are equal without a number.
Check check_each(const Comparing& comparing, const std::vector<Pair>& pairs, bool passes,
                 const std::optional<Remark>& remark = {});

// Return the check of one number for all: mean or median of these, in the metric's unit.
Check check_reduced(const Comparing& comparing, Reduce reduce, double expected, double actual, bool passes);

// Return all numbers that the series names, those without a value too, rising.
std::vector<std::int64_t> all_numbers(const Series& series);

// Return a relative tolerance to that side.
Tolerance relative(Bound::Side side, const Decimal& amount);

}  // namespace gate::judge
