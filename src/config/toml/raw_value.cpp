#include "config/toml/raw_value.h"

#include "gate/base/text.h"

namespace gate::config {

RawValue untyped(std::string text, Position at, std::string origin) {
  RawValue word{RawValue::Kind::untyped, std::move(text), {}, std::move(at), std::move(origin)};
  if (word.text.empty()) return word;
  for (const std::string_view item : split(word.text, ',')) word.items.emplace_back(trim(item));
  return word;
}

std::string shown(const RawValue& word) {
  switch (word.kind) {
    case RawValue::Kind::untyped:
    case RawValue::Kind::text:
      return "\"" + printable(word.text, 80) + "\"";
    case RawValue::Kind::number:
    case RawValue::Kind::boolean:
    case RawValue::Kind::date:
      return printable(word.text, 80);
    case RawValue::Kind::list:
      return "a list";
    case RawValue::Kind::table:
      return "a table";
    case RawValue::Kind::other:
      break;
  }
  return "a list of tables or lists";
}

std::string to_string(const Position& at) {
  std::string out = at.file;
  if (at.line > 0) out += ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  return out;
}

}  // namespace gate::config
