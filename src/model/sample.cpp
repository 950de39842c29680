#include "gate/model/sample.h"

#include "gate/base/text.h"

namespace gate {

bool Value::operator==(const Value& other) const {
  return kind == other.kind && (kind != ValueKind::finite || number == other.number);
}

std::optional<Value> parse_value(std::string_view word) {
  if (const std::optional<Decimal> number = Decimal::parse(word)) return Value{ValueKind::finite, *number};
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const std::string name = to_lower(word.substr(0, 16));
  if (name == "nan") return Value{ValueKind::nan, {}};
  if (name == "inf" || name == "infinity")
    return Value{negative ? ValueKind::negative_infinity : ValueKind::positive_infinity, {}};
  return std::nullopt;
}

}  // namespace gate
