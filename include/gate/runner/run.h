// `gate run`: launch, extract, judge, report. `gate baseline record`: launch, and make candidates.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gate/model/reports/report.h"
#include "gate/places/environment.h"
#include "gate/places/run_options.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Tells of a run whose report is complete, in files and to people, and returns what gate ends with. Until it
// is done the run can be resumed.
using Telling = std::function<int(Report report)>;

// Launch the cases and judge each; beside one another if there are devices for it, and one after the other if
// their speed is judged. Without a failure of the run itself (interrupt,
// deadline, max_failures, a full disk, three cases that died alike before their first step) all are launched.
// With `confirm` N, a case of which nothing but speed checks failed runs N times in all, and its speed is
// judged by the mean of these runs; whatever else goes wrong in one of them is its verdict.
// The report and each case's files are written as they come; sends RunPlanned, CaseStarted, SampleSeen,
// CaseFinished and RunFinished to the sink. Fails before anything is launched for words that select nothing,
// baselines that cannot be read, and a run folder that cannot be made.
Answer<Report> run(const Suite& suite, const RunOptions& options, Environment& environment,
                   const Telling& tell = nullptr);

// Run the cases, each options.record times, without judging them and write a candidate each: never the
// baseline. The report's verdict is passed where the candidate is good, and what is wrong with the first bad
// run else. Notes say what the noise between the runs means for each rule, and for the suite.
Answer<Report> record(const Suite& suite, const RunOptions& options, Environment& environment);

// Return what a run would do, as a report in which nothing has run. Launches and writes nothing.
Answer<Report> plan(const Suite& suite, const RunOptions& options, Environment& environment);

// Return the run that --again or --resume goes on from, of the suite that is opened so: the one that is
// named; else the latest, or the newest that was cut off. Fails (2) where there is none, and where both are
// asked for.
Answer<Report> earlier_run(const SuiteOptions& suite, const std::optional<std::string>& again,
                           const std::optional<std::string>& resume);

}  // namespace gate::app
