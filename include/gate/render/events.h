// Events as JSON, one object a line.
#pragma once

#include <string>

#include "gate/model/event.h"

namespace gate::render {

// Return the event with its kind as `event`: run_planned, case_started, sample, case_finished, run_finished,
// message. Without a newline; bytes that are no UTF-8 are replaced.
std::string event_json(const Event& event);

}  // namespace gate::render
