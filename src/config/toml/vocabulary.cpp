#include "config/toml/vocabulary.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::config {

const SettingRow* find_row(std::span<const SettingRow> rows, std::string_view key) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const SettingRow& r) { return r.key == key; });
  return row == rows.end() ? nullptr : &*row;
}

bool may_stand(const SettingRow& row, std::string_view place) {
  for (std::string_view rest = row.where; !rest.empty();) {
    const std::string_view first = rest.substr(0, rest.find(','));
    if (trim(first) == place) return true;
    rest.remove_prefix(std::min(first.size() + 1, rest.size()));
  }
  return false;
}

std::vector<std::string> keys_of(std::span<const SettingRow> rows, std::string_view place) {
  std::vector<std::string> keys;
  for (const SettingRow& row : rows)
    if (place.empty() || may_stand(row, place)) keys.emplace_back(row.key);
  return keys;
}

std::string unknown(std::string_view noun, const RawValue& word, std::span<const std::string> names) {
  const bool is_text = word.kind == RawValue::Kind::untyped || word.kind == RawValue::Kind::text;
  if (is_text) return unknown(noun, word.text, names);
  return shown(word) + " is no " + std::string(noun) + "; write one of: " + join(names, ", ");
}

std::string unknown(std::string_view noun, std::string_view text, std::span<const std::string> names) {
  const std::string hint = did_you_mean(text, names);
  const std::string said = "unknown " + std::string(noun) + " \"" + printable(text, 80) + "\"";
  return said + (hint.empty() && !names.empty() ? "; known: " + join(names, ", ") : hint);
}

}  // namespace gate::config
