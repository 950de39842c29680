#include "gate/model/sample.h"

#include <cmath>

#include "gate/base/text.h"

namespace gate {

bool Value::operator==(const Value& other) const {
  return kind == other.kind && (kind != ValueKind::finite || number == other.number);
}

std::optional<Value> parse_value(std::string_view word) {
  Value value;
  return parse_value(word, value) ? std::optional(value) : std::nullopt;
}

bool parse_value(std::string_view word, Value& value) {
  value.kind = ValueKind::finite;
  constexpr std::int32_t near_infinity = 270;  // a coefficient has up to 38 digits, the largest double 309
  if (Decimal::parse(word, value.number)) {
    if (value.number.exponent > near_infinity && std::isinf(value.number.to_double()))
      value = {value.number.is_negative() ? ValueKind::negative_infinity : ValueKind::positive_infinity, {}};
    return true;
  }
  value.number = {};
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const std::string name = to_lower(word.substr(0, 16));
  if (name == "nan")
    value.kind = ValueKind::nan;
  else if (name == "inf" || name == "infinity")
    value.kind = negative ? ValueKind::negative_infinity : ValueKind::positive_infinity;
  return !value.is_finite();
}

}  // namespace gate
