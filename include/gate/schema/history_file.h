// gate.history/1: remembered runs as JSON lines, one a run, both directions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/reports/history.h"

namespace gate::schema {

// Tell whether the first line names the schema.
bool is_history(std::string_view text);

// Return the run as one line (docs/schema/gate.history.1.json), with its newline.
std::string write_history_line(const RememberedRun& run);

// Return the runs of the lines, or all that is wrong with them, with `name:line:column`. Unknown keys are
// passed over.
Result<std::vector<RememberedRun>> read_history(std::string_view text, const std::string& name);

}  // namespace gate::schema
