#include "gate/model/reports/device_use.h"

#include <algorithm>

namespace gate {

DeviceUse& DeviceUse::operator+=(const DeviceUse& other) {
  runs += other.runs;
  devices = std::max(devices, other.devices);
  longest = std::max(longest, other.longest);
  for (const auto member : {&DeviceUse::duration, &DeviceUse::used, &DeviceUse::saved, &DeviceUse::hung,
                            &DeviceUse::infra, &DeviceUse::idle, &DeviceUse::best})
    this->*member += other.*member;
  return *this;
}

DeviceUse with_bounds(DeviceUse told) {
  if (told.devices == 0 || told.used == Duration{}) return {};
  told.runs = 1;
  told.idle = std::max(Duration{}, told.duration * told.devices - told.used);
  told.best = std::min(told.duration, std::max(told.longest, told.used / told.devices));
  return told;
}

DeviceUse device_use_of(const Report& report) {
  DeviceUse use;
  use.duration = report.duration;
  std::int64_t largest = 0;
  for (const CaseReport& one : report.cases) {
    use.saved += one.device_time_saved.value_or(Duration{});
    const Duration used = one.device_time.value_or(Duration{});
    if (used == Duration{}) continue;
    use.used += used;
    use.longest = std::max(use.longest, one.duration);
    if (one.verdict == Verdict::hung) use.hung += used;
    if (one.verdict == Verdict::infra) use.infra += used;
    if (one.duration >
        Duration{})  // a queue has no number of devices: that of the largest case stands for it
      largest = std::max<std::int64_t>(largest, used / one.duration);
  }
  use.devices = report.devices > 0 ? report.devices : largest;
  return with_bounds(use);
}

}  // namespace gate
