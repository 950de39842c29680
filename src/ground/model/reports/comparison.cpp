#include "gate/model/reports/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gate/model/reports/trend.h"

namespace gate {

std::string_view side_kind_word(SideKind kind) {
  constexpr std::array<std::string_view, 3> words{"run", "log", "baseline"};
  return words[static_cast<std::size_t>(kind)];
}

std::string side_letter(std::size_t place) { return std::string(1, static_cast<char>('A' + place)); }

bool has_common(const ComparedCase& compared) {
  return std::ranges::any_of(compared.series, &ComparedSeries::comparable);
}

bool has_common(const Comparison& comparison) {
  return std::ranges::any_of(comparison.cases, [](const ComparedCase& one) { return has_common(one); });
}

bool is_same(const Comparison& comparison) {
  const auto same = [](const ComparedCase& one) {
    return one.only_a.empty() && one.only_b.empty() && !one.changed() &&
           std::ranges::all_of(one.series, &ComparedSeries::same);
  };
  return comparison.only_a.empty() && comparison.only_b.empty() &&
         std::ranges::all_of(comparison.cases, same);
}

std::optional<double> Change::share() const {
  if (before == 0) return std::nullopt;
  return (after - before) / std::abs(before);
}

std::string_view to_string(ChangeShape shape) {
  constexpr std::array<std::string_view, 4> names{"step", "ramp", "dip", "recovery"};
  return names.at(static_cast<std::size_t>(shape));
}

}  // namespace gate
