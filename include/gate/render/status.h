// What runs are doing, for people.
#pragma once

#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/reports/run_status.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return a block for each run: who runs it where and since when, for what it waits, a line for each case that
// goes on (with style.verbose for each case), below it its curves beside the baseline's, and how many cases
// are in which state. `now` is what times are counted to.
std::string status_text(const std::vector<RunStatus>& runs, Moment now, const Style& style);

// Return what a case that goes on does, in one line: `1130-0941 llama2: step 12/50, ~2m left, lm_loss 2.3412
// +0.0014 (±0.01)`; of one that has ended its verdict. `of` is the suite, where lines of several follow one
// another.
std::string status_line(const RunStatus& run, const CaseStatus& status, const std::string& of, Moment now,
                        const Style& style);

}  // namespace gate::render
