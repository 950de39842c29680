#include "gate/model/reports/ab.h"

#include <algorithm>
#include <array>

namespace gate {

std::string_view to_string(AbAnswer answer) {
  constexpr std::array<std::string_view, 4> names{"worse", "better", "none", "undecided"};
  return names[static_cast<std::size_t>(answer)];
}

AbAnswer answer_of(const AbResult& result) {
  const auto any = [&](AbAnswer wanted) {
    return std::ranges::any_of(result.metrics, [&](const AbMetric& one) {
      return (one.change ? one.change->answer : AbAnswer::undecided) == wanted;
    });
  };
  if (any(AbAnswer::worse)) return AbAnswer::worse;
  if (any(AbAnswer::undecided) || result.metrics.empty()) return AbAnswer::undecided;
  return any(AbAnswer::better) ? AbAnswer::better : AbAnswer::none;
}

}  // namespace gate
