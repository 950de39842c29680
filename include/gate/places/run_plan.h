// What a run will do: every case with where it runs and what it is judged against. Made before anything is
// launched, so that all mistakes are found first.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judging/case_judge.h"
#include "gate/places/environment.h"
#include "gate/places/host_groups.h"
#include "gate/places/placement.h"
#include "gate/places/run_options.h"
#include "gate/suite/predecessors.h"

namespace gate::app {

struct PlannedCase {
  const config::Case* spec = nullptr;
  Placement placement;
  JudgedAgainst against;
  std::string script_sha256;
  // What the result of the case hangs on, as far as gate knows it, name -> SHA-256: a run that is taken up
  // again keeps a result only if all of it is the same.
  std::map<std::string, std::string> inputs;
  std::optional<int> fixed_port;  // MASTER_PORT, if the script says it in numbers
  PlannedPlace place;
  bool is_taken_along = false;                  // only because it is a predecessor of another one
  std::size_t phase = 0;                        // which start of the script in a run this is
  std::vector<std::string> args = {};           // for the script
  std::vector<std::string> further_words = {};  // behind ARGS, of a run that is not judged (FurtherCase)
};

struct RunPlan {
  std::vector<PlannedCase> cases;    // each behind its predecessors
  std::vector<std::string> orphans;  // baselines without a script; only of a run of the whole suite
  std::vector<std::string> named;    // cases that were named exactly
  std::string split;                 // see Report
  std::string changed_since_commit;  // see Report
  std::string platform;
  std::vector<Device> devices;  // of the platform, of all hosts
  std::vector<Sentence> notes;  // hosts that cannot be reached

  // Tell whether a case runs without the devices that it wants.
  bool is_rehearsal() const;
};

// Connect to the hosts of the cases, send what is to be sent, and plan. A case takes along its predecessors
// by these bonds, and a note says so. Fails if two cases wait for one another, and if there is no git tree to
// be sent.
Answer<RunPlan> make_plan(const Suite& suite, const RunOptions& options, Environment& environment,
                          Sending sending = Sending::yes, Bonds bonds = Bonds::all);

// Return that the host has not all that the case needs, and what it lacks; "" where it has.
Result<Sentence> lacking_on(Host& host, const PlannedCase& planned, const Cut& cut);

// Return the report that is true before the first launch: every case `not_run`, or skipped, infra or unjudged
// with its reason.
Report planned_report(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                      const launch::HostFacts& host, Moment now);

}  // namespace gate::app
