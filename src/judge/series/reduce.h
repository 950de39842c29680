// From the values of a window to the one that is compared.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gate/model/rule.h"
#include "judge/series/number.h"

namespace gate::judge {

struct ReduceRow {
  Reduce reduce;
  std::string_view doc;
  // Return the reduced value of at least one value in the order of their numbers; nothing where it is not
  // defined.
  std::optional<Number> (*apply)(std::span<const Number> values);
};

// Return all reduces; the row of `each` has no function.
std::span<const ReduceRow> reduces();

// Return the reduced value, or nothing where there is none: no values, a harmonic mean of values not above 0,
// `each`.
std::optional<Number> reduce(Reduce how, std::span<const Number> values);

}  // namespace gate::judge
