#include "render/words/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/words/values.h"

namespace gate::render {

namespace {

constexpr double plain_from = 1e-9, plain_to = 1e15;  // what is written without an exponent

std::optional<double> number(const std::optional<Value>& value) {
  if (!value || !value->is_finite() || !std::isfinite(value->number.to_double())) return std::nullopt;
  return value->number.to_double();
}

// Return what the tolerance allows on either side: half of `3.89..3.91`, or from the baseline to the limit.
std::optional<double> allowed(const Check& check) {
  if (check.limit.size() != 1) return std::nullopt;
  const LimitRange& limit = check.limit.front();
  const bool two = limit.low && limit.high && limit.low != limit.high;
  const auto low = number(limit.low ? limit.low : limit.high);
  const auto high = two ? number(limit.high) : number(check.baseline);
  if (!low || !high) return std::nullopt;
  const double apart = std::fabs(*high - *low) / (two ? 2 : 1);
  return apart > 0 && std::isfinite(apart) ? std::optional(apart) : std::nullopt;
}

std::string three_digits(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value + 0.0) : "";
}

// Round to the power of ten that is at most a tenth of what is allowed.
std::string rounded(double value, double allows) {
  const double step = std::pow(10.0, std::floor(std::log10(allows / 10)));
  if (step < plain_from || std::fabs(value) > plain_to || allows > plain_to) return three_digits(value);
  const double whole = std::round(value / step) * step + 0.0;
  const int decimals = step < 1 ? static_cast<int>(std::lround(-std::log10(step))) : 0;
  return fmt::format("{:.{}f}", whole, decimals);
}

// Down within the tolerance, up beyond it.
std::string share(double used) {
  constexpr double slack = 1e-6;  // what binary fractions are off by
  const double tenths =
      used > 1 ? std::max(11.0, std::ceil(used * 10 - slack)) : std::floor(used * 10 + slack);
  return fmt::format("{:.1f}", tenths / 10 + 0.0);
}

// What a mean relative error uses of its limit.
std::optional<double> error_used(const Check& check) {
  const auto actual = number(check.actual);
  if (!actual || !bounds_error(check.tolerance)) return std::nullopt;
  const double most = check.tolerance.any_of.front().front().amount.to_double();
  return most > 0 ? std::optional(*actual / most) : std::nullopt;
}

Figures without_amount(const Check& check) {
  if (check.is_each()) return {};
  const auto baseline = number(check.baseline), error = error_used(check);
  return {baseline ? words::value_text(check.baseline) : "", three_digits(number(check.actual)),
          three_digits(number(check.margin)), error ? share(*error) : ""};
}

}  // namespace

std::optional<double> used_share(const Check& check) {
  if (!check.is_each())
    if (const auto error = error_used(check)) return error;
  const auto allows = allowed(check), margin = number(check.margin);
  if (!allows || !margin || !number(check.baseline)) return std::nullopt;
  return std::max(0.0, 1 - *margin / *allows);
}

Figures figures_of(const Check& check) {
  const auto allows = allowed(check), baseline = number(check.baseline), actual = number(check.actual),
             margin = number(check.margin);
  if (!allows || !baseline || !actual || !margin) return without_amount(check);
  const bool moved = std::fabs(*actual - *baseline) > *allows / 2;
  const std::string used = moved ? share(1 - *margin / *allows) : "0.0";
  if (check.is_each()) return {"", "", "", used};
  const std::string reference = words::value_text(check.baseline);
  return {reference, moved ? rounded(*actual, *allows) : reference,
          rounded(moved ? *margin : *allows, *allows), used};
}

}  // namespace gate::render
