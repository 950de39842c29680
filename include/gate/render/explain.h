// What `gate explain` prints.
#pragma once

#include <string>

#include "gate/model/reports/explanation.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the case's verdict and cause, what failed with its formula and its line of the log, of several ranks
// once, and a line for each other check; in full each check with all its numbers, and what stood side by side
// at each step of its window.
std::string explain_text(const Explanation& explanation, bool in_full, const Style& style);

// Return the case as it stands in result.json, with these checks alone, each with its values and log lines.
std::string explain_json(const Explanation& explanation);

}  // namespace gate::render
