// gate.status/1: what runs are doing, and gate.stop/1: what is asked of a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/reports/run_status.h"

namespace gate::schema {

// Return the JSON text of the runs (docs/schema/gate.status.1.json), with a final newline.
std::string write_status(const std::vector<RunStatus>& runs);

// Return the runs of such a text, or an error with `name:line:column`. Unknown keys are passed over.
Result<std::vector<RunStatus>> read_status(std::string_view text, const std::string& name);

// Return the request as one line with a final newline.
std::string write_stop(const StopRequest& request);

// Return the requests of such lines. A last line without its newline is not whole yet, and none; neither is
// one that cannot be understood.
std::vector<StopRequest> read_stops(std::string_view lines);

}  // namespace gate::schema
