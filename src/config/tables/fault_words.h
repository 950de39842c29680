// The words of the setting `fault`.
#pragma once

#include <optional>

#include "config/toml/values.h"
#include "gate/model/fault.h"

namespace gate::config {

// Return the fault that is written, nothing for `none`:
//
//   ACTION@WHEN [rank N] [for DURATION]
//
//   ACTION   kill, term or pause
//   WHEN     a step from 1 on, or a share of the run's last step, from 1% to 99%
//   rank     whose processes alone; else all
//   for      how long it is paused, of pause alone
//
// Fails with the word that is wrong, and what to write.
Result<std::optional<Fault>> read_fault(const RawValue& raw);

}  // namespace gate::config
