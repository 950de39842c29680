// One launch: a case's script from start to end, its output into the raw log and the extractor, its samples
// past the watch.
#pragma once

#include <optional>
#include <string>

#include "app/run_plan.h"
#include "gate/app/machine.h"
#include "gate/store/run_folder.h"

namespace gate::app {

enum class Purpose { judging, recording };

struct Launched {
  Extraction extraction;
  Outcome outcome;
  Duration duration{};
  std::vector<std::string> leftovers;  // outlived the script and were stopped
  std::vector<std::string> survivors;  // could not be stopped
  std::string log;                     // path of the raw log
  std::string log_error;               // the log could not be written completely
};

// Run the case's script to its end. While judging, a certain failure stops it early, as its setting says. A
// failure to start, to create the log or to work at all is an outcome NotStarted.
Launched launch_case(const Suite& suite, const PlannedCase& planned, const RunOptions& options,
                     const store::RunFolder& folder, Purpose purpose, Machine& machine);

// Put into the case's report what the launch itself has to say: devices, duration, the raw log, and the
// problems of processes that were left over and of a log that is not complete.
void add_launch(CaseReport& report, const PlannedCase& planned, const Launched& launched);

}  // namespace gate::app
