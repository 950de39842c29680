// What `gate explain` prints.
#pragma once

#include <string>

#include "gate/model/reports/explanation.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the case's verdict and cause, and each check with its numbers; with `values` also what stood side by
// side at each step of its window.
std::string explain_text(const Explanation& explanation, bool values, const Style& style);

// Return the case as it stands in result.json, with these checks alone, each with its values and log lines.
std::string explain_json(const Explanation& explanation);

}  // namespace gate::render
