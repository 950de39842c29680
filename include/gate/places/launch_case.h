// One launch: a case's script from start to end, its output into the raw log and the extractor, its samples
// past the watch.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "gate/base/secrets.h"
#include "gate/base/sentence.h"
#include "gate/judging/series_sources.h"
#include "gate/places/environment.h"
#include "gate/places/golden_memory.h"
#include "gate/places/reservation.h"
#include "gate/places/run_plan.h"
#include "gate/places/stop_requests.h"
#include "gate/store/run_folder.h"

namespace gate::app {

// confirming: judging, but a failed speed check is not the last word, and ends no run early.
// repeating: judging by the mean of several runs: no check of a single one ends it early.
// explaining: for people, and never judged.
enum class Purpose { judging, confirming, repeating, recording, explaining };

// What all launches of a run share.
struct LaunchContext {
  const Suite& suite;
  const RunOptions& options;
  const store::RunFolder& folder;
  const Masker& masker;
  const Sink& sink;  // behind the mask
  Environment& environment;
  StopRequests& stops;
  GoldenMemory& golden;
  const std::string& commit;  // of the checkout
};

// One launch of a case.
struct LaunchAttempt {
  int number = 1;  // of all that the case has had
  Purpose purpose = Purpose::judging;
  Reservation reservation = {};
  std::optional<Duration> rest = {};            // of the run's time; none: no --deadline
  std::map<std::string, fs::Path> before = {};  // of cases that passed before it: variable -> their folder
  bool leaves_checkpoints = false;              // a further start of the same run goes on from them
  int start = 1;                                // of the script in the launch: a fault makes a second one
  // Waits until the devices are idle again, before the second start. Fails if they are not.
  std::function<Status()> make_ready = [] { return Status(); };
};

// Its problems are those of processes that were left over, and of what surrounds the script: artifacts,
// evidence.
struct LaunchResult : LaunchRecord {
  launch::HostFacts facts;          // of the first of its hosts; of a queue's nothing is known
  std::vector<std::string> places;  // of an engine, with the devices that it gave: `n1 (0-3)`
  Extraction extraction;
  LaunchMeasures measures;
  Fingerprint fingerprint;                      // as the script itself showed it
  std::optional<std::int64_t> checkpoint = {};  // the step of the newest one in the case's folder for them
  Sentence torn_checkpoint = {};                // why that cannot be told where it should
  std::vector<Extraction> further_phases = {};  // of the case, in their order, as far as they were started
};

// Run the case's script to its end. While judging, a certain failure stops it early, as its setting says. A
// failure to start, to create the log or to work at all is an outcome NotStarted; a raw log that could not be
// written completely is GateFailed.
LaunchResult launch_case(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchAttempt& attempt);

// Put into the record what the launch, by its duration and its outcome, took of the placement's devices.
void put_devices(LaunchResult& launched, const Placement& placement);

// Return the folder for checkpoints of the case's run of that number, as gate calls it.
fs::Path checkpoints_of(const LaunchContext& context, const PlannedCase& planned, int number);

}  // namespace gate::app
