// What a file is worth beside its golden file: `gate score`, and the outputs of cases.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/base/fs.h"
#include "gate/config/outputs.h"
#include "gate/model/output.h"
#include "gate/model/report.h"

namespace gate::app {

// Return what the file is worth: of results one score for each that the golden file, or where there is none
// the file, has; none of an output without a golden file. `missing` says what is wrong with the file - empty,
// no such file, fewer lines than the golden one, the golden file itself -, `unjudged` what is wrong with the
// golden one; there are no scores then. Lines are read as they come: memory is bounded by the longest one.
OutputResult score_output(const std::string& name, const config::CaseOutput& output, const fs::Path& file,
                          const std::vector<fs::Path>& golden);

// Return the SHA-256 of a golden file; "" where there is no plain file.
std::string golden_hash(const fs::Path& path);

// Tell whether both paths lead to one file.
bool is_same_file(const fs::Path& a, const fs::Path& b);

// Return the report of the file: judged by the output's tolerance as a case of its own is, passed, regressed,
// incomplete where the file is no output to be judged, unjudged where the golden one is none, or where there
// is no tolerance.
CaseReport score_report(const config::CaseOutput& output);

// Return the exit code of the report. A score that nobody asked to be judged is no failure.
int exit_code_of_score(const config::CaseOutput& output, const CaseReport& report);

}  // namespace gate::app
