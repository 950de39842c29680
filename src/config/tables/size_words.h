// The words for what a case takes: devices of a node, and nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/toml/values.h"
#include "gate/base/result.h"

namespace gate::config {

struct ChosenDevices {
  std::optional<int> count;       // of a node; none: auto; -1: all
  std::vector<std::string> list;  // their numbers; empty: any so many
};

// Return what `8`, `2x8`, `all`, `auto` or a list of numbers, each once, says of devices.
Result<ChosenDevices> read_devices(const RawValue& raw);

// Return what such words say for some platforms alone: no list.
Result<std::optional<int>> read_device_count(const RawValue& raw);

// Return what `2` or `2x8` says of nodes.
Result<int> read_nodes(const RawValue& raw);

// Tell whether it is `2x8`, which says both: two nodes of eight devices each.
bool is_grid(const RawValue& raw);

}  // namespace gate::config
