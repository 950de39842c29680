#include "render/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"

namespace gate::render {

std::string plain(const std::string& text) {
  const std::optional<Decimal> number = Decimal::parse(text);
  return number ? number->to_string() : text;
}

std::string signed_delta(const std::string& baseline, const std::string& actual, const std::string& delta) {
  const std::optional<Decimal> a = Decimal::parse(actual), b = Decimal::parse(baseline);
  const std::optional<Decimal> d = Decimal::parse(delta);
  if (!d) return delta;
  const bool told = d->is_negative() || d->is_zero() || !a || !b;
  return (told ? "" : *a < *b ? "-" : "+") + d->to_string();
}

std::string seconds(Duration duration) {
  return fmt::format("{:.3f}", static_cast<double>(duration.count()) / 1e3);
}

std::string short_percent(const std::string& text) {
  std::string_view word = trim(text);
  if (!word.ends_with('%')) return text;
  const std::optional<Decimal> number = Decimal::parse(trim(word.substr(0, word.size() - 1)));
  if (!number) return text;
  const double percent = number->to_double();
  return number->is_zero() ? "0 %" : fmt::format("{:+.{}f} %", percent, std::fabs(percent) < 0.1 ? 2 : 1);
}

}  // namespace gate::render
