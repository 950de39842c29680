// One more run of a case that is red: for people, and never judged.
#pragma once

#include <string>

#include "gate/base/sentence.h"
#include "gate/config/policy.h"
#include "gate/model/reports/report.h"
#include "gate/places/launch_case.h"

namespace gate::app {

// What a report asks for.
struct WantedRun {
  config::FurtherRun further = {};  // none is wanted: no further run
  std::string phase = {};           // of a case with phases: the first one, which alone is launched
};

// Return what the case's settings want after the report: nothing where a further run could not say more of
// the verdict, on = slow where no check of kind speed made it regressed, and in quarantine, for nobody waits
// for it.
WantedRun wanted_after(const config::Case& spec, const CaseReport& report, const std::string& today);

// Return `run 2 (further: A=1 --profile)`, where that is the launch's number.
Sentence further_run_words(const WantedRun& wanted, int number);

// Turn what the run wrote no file of into a note where the case has a further run that may write it, and that
// was not called for.
void leave_artifacts_to_further(CaseReport& report, const config::Case& spec);

// Put into the report where the log and artifacts of the further run are, what it left, and how it ended: the
// case's verdict, checks and series are as they were. A note says why where nothing could be launched.
void add_further_run(CaseReport& report, const WantedRun& wanted, int number, const LaunchResult& launched);

}  // namespace gate::app
