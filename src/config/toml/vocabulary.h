// What all tables of keys have in common: who may set a key, and what to say of a word that is none of them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/toml/raw_value.h"
#include "gate/config/settings.h"

namespace gate::config {

// Return the row of that key, or nullptr.
const SettingRow* find_row(std::span<const SettingRow> rows, std::string_view key);

// Tell whether the row's key may be set at the place: `suite`, `defaults`, `#GATE`, `case`, `flag`.
bool may_stand(const SettingRow& row, std::string_view place);

// Return the keys of the rows, those only that may be set at the place unless it is "".
std::vector<std::string> keys_of(std::span<const SettingRow> rows, std::string_view place = "");

// Return `unknown wait "trea"; did you mean "tree"?`, or with the names to choose from where none is near.
std::string unknown(std::string_view noun, const RawValue& word, std::span<const std::string> names);
std::string unknown(std::string_view noun, std::string_view text, std::span<const std::string> names);

// Return the public rows of a table whose rows carry a function too.
template <typename Slot, std::size_t n>
constexpr std::array<SettingRow, n> rows_of(const std::array<Slot, n>& slots) {
  std::array<SettingRow, n> rows;
  for (std::size_t i = 0; i < n; ++i) rows[i] = slots[i].row;
  return rows;
}

// Return the slot of that key, or nullptr.
template <typename Slots>
const typename Slots::value_type* find_slot(const Slots& slots, std::string_view key) {
  for (const auto& slot : slots)
    if (slot.row.key == key) return &slot;
  return nullptr;
}

}  // namespace gate::config
