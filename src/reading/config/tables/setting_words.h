// The words of settings that say several things at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/toml/toml_values.h"
#include "gate/base/result.h"
#include "gate/model/runs/fault.h"

namespace gate::config {

// The words of the setting `fault`.

// Return the fault that is written, nothing for `none`:
//
//   ACTION@WHEN [rank N] [for DURATION] [scratch]
//
//   ACTION   kill, term or pause
//   WHEN     a step from 1 on, or a share of the run's last step, from 1% to 99%
//   rank     whose processes alone; else all
//   for      how long it is paused, of pause alone
//   scratch  its second start may begin at the first step again
//
// Fails with the word that is wrong, and what to write.
Result<std::optional<Fault>> read_fault(const RawValue& raw);

// The words for what a case takes: devices of a node, and nodes.

struct ChosenDevices {
  std::optional<int> count;       // of a node; none: auto; -1: all
  std::vector<std::string> list;  // their numbers; empty: any so many
  std::string variable = {};      // that says the count: NAME of `{env.NAME}`; "": none
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
