#include "config/tables/json_table.h"

#include <array>

#include "config/toml/values.h"
#include "config/toml/vocabulary.h"

namespace gate::config {

namespace {

using N = extract::JsonNames;

template <auto member>
Status put_name(N& names, const RawValue& word) {
  return read_filled_text(word).map([&](const std::string& name) { names.*member = name; });
}

struct JsonSlot {
  SettingRow row;
  Status (*set)(N&, const RawValue&);
};

constexpr auto json_slots = std::to_array<JsonSlot>({
    {{"step", "text", "", "jsonl", "name of the step in JSON lines; nested names with points"},
     put_name<&N::step>},
    {{"total", "text", "", "jsonl", "name of the last step that is planned"}, put_name<&N::total>},
    {{"rank", "text", "", "jsonl", "name of the rank that wrote the line"}, put_name<&N::rank>},
});

constexpr auto json_rows = rows_of(json_slots);

}  // namespace

std::span<const SettingRow> json_keys() { return json_rows; }

Status set_json_key(N& names, std::string_view key, const RawValue& word) {
  return find_slot(json_slots, key)->set(names, word);
}

}  // namespace gate::config
