#include "config/toml/raw_value.h"

#include "gate/base/text.h"

namespace gate::config {

Word untyped(std::string text, Position at, std::string origin) {
  Word word{Word::Kind::untyped, std::move(text), {}, std::move(at), std::move(origin)};
  if (word.text.empty()) return word;
  for (const std::string_view item : split(word.text, ',')) word.items.emplace_back(trim(item));
  return word;
}

std::string shown(const Word& word) {
  switch (word.kind) {
    case Word::Kind::untyped:
    case Word::Kind::text:
      return "\"" + printable(word.text, 80) + "\"";
    case Word::Kind::number:
    case Word::Kind::boolean:
    case Word::Kind::date:
      return printable(word.text, 80);
    case Word::Kind::list:
      return "a list";
    case Word::Kind::table:
      return "a table";
    case Word::Kind::other:
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
