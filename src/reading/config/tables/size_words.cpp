#include "config/tables/setting_words.h"

#include <set>

#include "gate/base/text.h"

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

bool is_list(const RawValue& raw) { return raw.kind == RawValue::Kind::list || raw.items.size() > 1; }

}  // namespace

Result<ChosenDevices> read_devices(const RawValue& raw) {
  if (is_list(raw)) return read_device_list(raw.items);
  if (says(raw, "auto")) return ChosenDevices{};
  if (says(raw, "all")) return ChosenDevices{-1, {}};
  if (const auto grid = read_grid(raw)) return ChosenDevices{grid->devices, {}};
  const Result<int> count = read_count(raw, 0);
  if (!count) return fail(shown(raw) + " is no number of devices; write a count, a list or all");
  return ChosenDevices{*count, {}};
}

Result<std::optional<int>> read_device_count(const RawValue& raw) {
  if (is_list(raw)) return fail("a list of devices is for all platforms; write a count or all");
  return read_devices(raw).map([](const ChosenDevices& devices) { return devices.count; });
}

Result<int> read_nodes(const RawValue& raw) {
  const std::optional<Grid> grid = read_grid(raw);
  return grid ? Result<int>(grid->nodes) : read_count(raw, 1);
}

bool is_grid(const RawValue& raw) { return read_grid(raw).has_value(); }

}  // namespace gate::config
