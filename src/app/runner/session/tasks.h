// The cases of a run as tasks for the schedule.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/places/run_plan.h"
#include "gate/schedule/schedule.h"
#include "gate/suite/run_history.h"

namespace gate::app {

// Cases whose scripts may write one log file: what stands in it could not be told apart.
struct SharedLogs {
  // For each case its group: cases are in one if globs of theirs can match the same file, directly or by
  // others between them. None: no other case's globs can.
  std::vector<std::optional<std::size_t>> groups;
  // For each group a glob of each of two cases that can match the same file.
  std::vector<std::pair<std::string, std::string>> examples;
};

// Where a case writes logs: its setting `log`, seen from its folder; `{rank}` is any text.
struct LogGlobs {
  std::vector<std::string> globs;
  fs::Path cwd;
};

SharedLogs shared_logs(const std::vector<LogGlobs>& cases);

// Return the tasks, in the order of the cases, each expected to take as long as it used to; what never passed
// is left at zero. A recording has its host for itself; so has a case whose speed is judged, unless
// it says otherwise.
std::vector<schedule::Task> tasks_of(const std::vector<const PlannedCase*>& cases, const RunHistory& history,
                                     bool recording);

// Return a line for each group of cases that never run side by side because of their logs.
std::vector<Sentence> notes_on_logs(const RunPlan& plan);

// Return which of these are hosts, and no queues.
std::vector<int> hosts_among(std::vector<int> lanes);

// Return the numbers of the devices for people: `0-3`, once where each host has the same ones; else `0-3 +
// 4-7`.
std::string numbers_of(const std::vector<DeviceId>& devices);

// Return what the tasks run on: the healthy devices of the hosts of its cases, and on each of them one cpu
// slot, or as many as jobs.
schedule::Resources resources_of(const RunPlan& plan, std::optional<int> jobs);

// Return the order in which they start: that of the plan if one runs after the other.
std::vector<std::size_t> order_of(const std::vector<schedule::Task>& tasks,
                                  const schedule::Resources& resources);

// Return when the cases of a plan are expected to run, each as long as it used to; nothing if none of them
// ever passed.
std::vector<TimelineRow> timeline(const RunPlan& plan, const RunHistory& history, std::optional<int> jobs);

// Return the devices that may be used: healthy ones, in order.
std::vector<DeviceId> healthy(const std::vector<Device>& devices);

}  // namespace gate::app
