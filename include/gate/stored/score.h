// `gate score`: what a file is worth beside its golden file.
#pragma once

#include "gate/config/outputs.h"
#include "gate/model/reports/report.h"

namespace gate::app {

// Return the report of the file: judged by the output's tolerance as a case of its own is, passed, regressed,
// incomplete where the file is no output to be judged, unjudged where the golden one is none, or where there
// is no tolerance.
CaseReport score_report(const config::CaseOutput& output);

// Return the exit code of the report. A score that nobody asked to be judged is no failure.
int exit_code_of_score(const config::CaseOutput& output, const CaseReport& report);

}  // namespace gate::app
