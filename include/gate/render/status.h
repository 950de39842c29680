// What runs are doing, for people.
#pragma once

#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/reports/run_status.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return a block for each run: who runs it where and since when, for what it waits, a line for each case that
// goes on (with style.verbose for each case), and how many cases are in which state. `now` is what times are
// counted to.
std::string status_text(const std::vector<RunStatus>& runs, Moment now, const Style& style);

}  // namespace gate::render
