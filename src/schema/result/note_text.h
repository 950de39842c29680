// Notes of a stored result.
#pragma once

#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::schema {

// Return the note that words::text() wrote: on the metrics that it begins with, where each is one of the
// checks', else on the case. Its remark is the text of what was written behind them.
Note read_note(const std::string& text, const std::vector<Check>& checks);

}  // namespace gate::schema
