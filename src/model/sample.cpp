#include "gate/model/sample.h"

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
  if (Decimal::parse(word, value.number)) return true;
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
