#include "config/tables/key_table.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::config {

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '=' || c == '\x7f';
  });
}

const SettingRow* find_row(std::span<const SettingRow> rows, std::string_view key) {
  return row_in(rows, key, &SettingRow::key);
}

bool may_stand(const SettingRow& row, std::string_view place) {
  return std::ranges::any_of(split(row.where, ','), [&](std::string_view one) {
    one = trim(one);
    return one == place || (place == "group" && (one == "defaults" || one == "#GATE"));
  });
}

std::string shown_place(std::string_view place) {
  if (place == "flag") return "--set";
  if (place == "case") return "[case.\"GLOB\"]";
  if (place == "group") return "[group.NAME]";
  return place == "#GATE" || place == "model_config.yaml" ? std::string(place)
                                                          : "[" + std::string(place) + "]";
}

std::string places_of(const SettingRow& row) {
  std::vector<std::string> places;
  for (const std::string_view place : split(row.where, ',')) places.push_back(shown_place(trim(place)));
  return join(places, ", ");
}

std::vector<std::string> keys_of(std::span<const SettingRow> rows, std::string_view place) {
  std::vector<std::string> keys;
  for (const SettingRow& row : rows)
    if (place.empty() || may_stand(row, place)) keys.emplace_back(row.key);
  return keys;
}

}  // namespace gate::config
