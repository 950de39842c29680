// The cases of a run as work for the schedule.
#pragma once

#include <vector>

#include "app/results/run_history.h"
#include "app/run/run_plan.h"
#include "gate/schedule/schedule.h"

namespace gate::app {

// Return the works, in the order of the cases, each expected to take as long as it used to; what never passed
// is left at zero. A recording has its host for itself; so has a case whose speed is judged, unless
// it says otherwise. `cwd` is where the scripts' `log` globs are seen from.
std::vector<schedule::Task> tasks_of(const std::vector<const PlannedCase*>& cases, const fs::Path& cwd,
                                     const RunHistory& memory, bool recording);

// Return a line for each group of cases that never run side by side because of their logs.
std::vector<std::string> notes_on_logs(const RunPlan& plan, const fs::Path& cwd);

// Return the numbers of the devices for people: `0-3`.
std::string numbers_of(const std::vector<DeviceId>& devices);

// Return what the works run on: the devices, one cpu slot or as many as jobs.
schedule::Pool pool_of(std::vector<DeviceId> devices, std::optional<int> jobs);

// Return the order in which they start: where one runs after the other, that of the plan.
std::vector<std::size_t> order_of(const std::vector<schedule::Task>& works, const schedule::Pool& pool);

// Return when the cases of a plan are expected to run, each as long as it used to; nothing where none of them
// ever passed.
std::vector<TimelineRow> timeline(const RunPlan& plan, const fs::Path& cwd, const RunHistory& memory,
                                  std::optional<int> jobs);

// Return the devices that may be used: healthy ones, in order.
std::vector<DeviceId> healthy(const std::vector<Device>& devices);

}  // namespace gate::app
