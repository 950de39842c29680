// Events, and samples as they come, one a line.
#pragma once

#include <string>

#include "gate/model/numbers/live_sample.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/reports/event.h"

namespace gate::render {

// Return the event with its kind as `event`: run_planned, case_started, sample, case_finished, run_finished,
// message. Without a newline; bytes that are no UTF-8 are replaced.
std::string event_json(const Event& event);

// Return `lm_loss - 12 1.25`: metric, rank (`-`: none), step and the value in the metric's unit (`-`: left
// out).
std::string live_line(const LiveSample& live);

// Return the row that `gate extract --format csv` prints of it, without a header.
std::string live_csv(const LiveSample& live, const std::string& file, const MetricTable& metrics);

// Return it as an object on one line.
std::string live_json(const LiveSample& live, const std::string& file, const MetricTable& metrics);

}  // namespace gate::render
