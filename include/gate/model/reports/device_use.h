// What a run, or several, did with the devices that it had.
//
// Example: cases of 4 devices for 10 min and of 8 for 20 min, one after the other, on 8 devices: 40 + 160 =
// 200 device-minutes were used, 8 x 30 - 200 = 40 were idle, and no order of them takes less than
// max(200 / 8, 20) = 25 min.
#pragma once

#include <cstdint>

#include "gate/base/time.h"
#include "gate/model/reports/report.h"

namespace gate {

struct DeviceUse {
  std::int64_t runs = 0;     // that had devices
  std::int64_t devices = 0;  // of their hosts, that cases could have; of several runs the most
  Duration duration{};       // of the runs
  Duration longest{};        // of a case on devices
  // Times of a device: spent; not spent because a script was stopped early; spent on cases that hung, and on
  // those that the host failed; and what the devices stood still within their runs.
  Duration used{}, saved{}, hung{}, infra{}, idle{};
  Duration best{};  // what the runs take at least on as many devices, whatever the order of their cases

  DeviceUse& operator+=(const DeviceUse& other);
};

// Return the use of one run, of what is told but `runs`, `idle` and `best`; nothing is used without devices.
DeviceUse with_bounds(DeviceUse told);

DeviceUse device_use_of(const Report& report);

}  // namespace gate
