#include "config/tables/setting_words.h"

#include <set>

#include "gate/base/text.h"
#include "gate/config/case_names.h"

namespace gate::config {

namespace {

struct Grid {
  int nodes = 1, devices = 1;
};

std::optional<Grid> read_grid(const RawValue& raw) {
  constexpr std::int64_t most = 100'000;
  const std::size_t cross = raw.text.find('x');
  if (raw.kind == RawValue::Kind::list || cross == std::string::npos) return std::nullopt;
  const auto nodes = parse_integer(raw.text.substr(0, cross));
  const auto devices = parse_integer(raw.text.substr(cross + 1));
  const auto is_count = [](const auto& number) { return number && *number >= 1 && *number <= most; };
  if (!is_count(nodes) || !is_count(devices)) return std::nullopt;
  return Grid{static_cast<int>(*nodes), static_cast<int>(*devices)};
}

Result<ChosenDevices> read_device_list(const std::vector<std::string>& ids) {
  if (ids.empty()) return fail("the list of devices is empty; write 0 for a case that runs on cpu");
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    const std::int64_t number = parse_integer(id).value_or(-1);
    if (number < 0 || number >= 100'000) return fail("\"" + printable(id, 80) + "\" is no device number");
    if (!seen.insert(id).second) return fail("device " + id + " is listed twice");
  }
  return ChosenDevices{static_cast<int>(ids.size()), ids};
}

// Return NAME of `{env.NAME}`; "" where the text is another one.
std::string counting_variable(std::string_view text) {
  constexpr std::string_view open = "{env.";
  if (!text.starts_with(open) || !text.ends_with('}')) return "";
  const std::string name(text.substr(open.size(), text.size() - open.size() - 1));
  return is_variable_name(name) ? name : "";
}

bool is_list(const RawValue& raw) { return raw.kind == RawValue::Kind::list || raw.items.size() > 1; }

}  // namespace

Result<ChosenDevices> read_devices(const RawValue& raw) {
  if (is_list(raw)) return read_device_list(raw.items);
  if (says(raw, "auto")) return ChosenDevices{};
  if (says(raw, "all")) return ChosenDevices{-1, {}};
  if (const auto grid = read_grid(raw)) return ChosenDevices{grid->devices, {}};
  if (std::string name = counting_variable(raw.text); !name.empty())
    return ChosenDevices{{}, {}, std::move(name)};
  const Result<int> count = read_count(raw, 0);
  if (!count)
    return fail(shown(raw) + " is no number of devices; write a count, a list, all, or \"{env.NAME}\"");
  return ChosenDevices{*count, {}};
}

Result<std::optional<int>> read_device_count(const RawValue& raw) {
  if (is_list(raw)) return fail("a list of devices is for all platforms; write a count or all");
  GATE_TRY(const ChosenDevices devices, read_devices(raw));
  if (!devices.variable.empty())
    return fail(shown(raw) + ": a variable says the devices of all platforms; write a count or all");
  return devices.count;
}

Result<int> read_nodes(const RawValue& raw) {
  const std::optional<Grid> grid = read_grid(raw);
  return grid ? Result<int>(grid->nodes) : read_count(raw, 1);
}

bool is_grid(const RawValue& raw) { return read_grid(raw).has_value(); }

}  // namespace gate::config
