// What all tables of keys have in common: a row tells who may set a key, and assigns its value.
#pragma once

#include <array>
#include <cassert>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/toml/toml_tree.h"
#include "config/toml/toml_values.h"
#include "gate/base/result.h"
#include "gate/config/old_words.h"
#include "gate/config/settings.h"

namespace gate::config {

// A key, and what its value does to a T.
template <typename T>
struct AssignRow {
  SettingRow row;
  Status (*assign)(T&, const RawValue&);
};

// Assign what was read, or return why there is none.
template <typename T>
Status assign(auto& target, Result<T> value) {
  return std::move(value).map([&](T read) { target = std::move(read); });
}

// Assign what `read` makes of the value to the member; an AssignRow's function.
template <auto member, auto read>
Status assign_member(auto& target, const RawValue& raw) {
  return assign(target.*member, read(raw));
}

// Return the public rows of a table.
template <typename Row, std::size_t n>
constexpr std::array<SettingRow, n> rows_of(const std::array<Row, n>& table) {
  std::array<SettingRow, n> rows;
  for (std::size_t i = 0; i < n; ++i) rows[i] = table[i].row;
  return rows;
}

// Return the table's row of that key, which is known.
const auto& row_of(const auto& table, std::string_view key) {
  std::size_t i = 0;
  while (table[i].row.key != key) ++i;
  return table[i];
}

// Return the value of which nobody says anything: the table's built-in column.
template <typename T>
T built_in_of(const auto& table) {
  T value{};
  for (const AssignRow<T>& row : table) {
    if (row.row.built_in.empty()) continue;
    [[maybe_unused]] const Status done =
        row.assign(value, untyped(std::string(row.row.built_in), {}, "built-in"));
    assert(done);
  }
  return value;
}

// Tell whether the text can be the name of a rule, a metric or a group: without blanks and =.
bool is_name(std::string_view text);

// Return the row of that key, or nullptr.
const SettingRow* find_row(std::span<const SettingRow> rows, std::string_view key);

// Tell whether the row's key may be set at the place: `suite`, `defaults`, `#GATE`, `case`, `flag`, or
// `group`, where all may be that [defaults] or #GATE may hold.
bool may_stand(const SettingRow& row, std::string_view place);

// Return the place as messages show it: `[defaults]`, `#GATE`, `[case."GLOB"]`, `--set`.
std::string shown_place(std::string_view place);

// Return `[defaults], #GATE, [case."GLOB"], --set`: where the row's key may be set.
std::string places_of(const SettingRow& row);

// Return the keys of the rows, those only that may be set at the place unless it is "".
std::vector<std::string> keys_of(std::span<const SettingRow> rows, std::string_view place = "");

// Assign the key of a TOML table to the value by its row of the table of keys; an unknown key, and a value
// that its row refuses, is a mistake at its place. Return whether it was assigned.
template <typename T>
bool assign_key(const auto& table, std::span<const SettingRow> rows, const Branch& key, T& value,
                Diagnostics& mistakes) {
  if (find_row(rows, key.key) == nullptr) {
    const std::string place = "[" + std::string(rows.front().where) + "]";
    const bool is_old = !now_written(place + " " + key.key).empty();
    mistakes.push_back({key.at, unknown(is_old ? place : "key", key.key, keys_of(rows))});
    return false;
  }
  const Status done = row_of(table, key.key).assign(value, key.tree.raw);
  if (!done) mistakes.push_back({key.tree.raw.at, done.error().message});
  return done.has_value();
}

}  // namespace gate::config
