#include "judge/rules/weight.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

namespace gate::judge {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-12;

enum class WeightClass : std::uint8_t { not_finite, missing, out, other };

WeightClass weight_class(const Check& check) {
  if (check.status == CheckStatus::missing) return WeightClass::missing;
  if (check.status != CheckStatus::fail) return WeightClass::other;
  return check.has_no_number() ? WeightClass::not_finite : WeightClass::out;
}

std::optional<double> finite_number(const std::optional<Value>& value) {
  return is_finite(value) ? std::optional(value->number.to_double()) : std::nullopt;
}

auto weight_place(const Check& check) {
  const WeightClass weight = weight_class(check);
  const double out = weight == WeightClass::out ? tolerances_out(check) : 0;
  const bool has_number = weight == WeightClass::not_finite || weight == WeightClass::out;
  return std::tuple(
      weight, -out,
      has_number && check.first_miss ? check.first_miss->number : std::numeric_limits<std::int64_t>::max());
}

}  // namespace

double tolerances_out(const Check& check) {
  const std::optional<double> actual = finite_number(check.actual), baseline = finite_number(check.baseline),
                              margin = finite_number(check.margin);
  if (!actual || !margin) return 1;
  const double beyond = std::abs(*margin);
  const double limit = std::min(std::abs(*actual - beyond), std::abs(*actual + beyond));
  const double allowed = baseline ? std::abs(*actual - *baseline) - beyond : limit;
  return allowed > beyond * rounding ? 1 + beyond / allowed : infinite;
}

void put_heaviest_first(std::vector<Check>& checks) { std::ranges::stable_sort(checks, {}, weight_place); }

}  // namespace gate::judge
