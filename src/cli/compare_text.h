// A comparison as text, JSON and HTML.
#pragma once

#include <string>

#include "gate/app/compare.h"
#include "gate/render/reporters.h"

namespace gate::cli {

// Return a table of what differs (with style.verbose of everything), what only one side has, and a line that
// begins with SAME or DIFFERENT.
std::string comparison_text(const app::Comparison& comparison, const render::Style& style);

// Return gate.comparison/1.
std::string comparison_json(const app::Comparison& comparison);

// Return one file with a chart for each metric.
std::string comparison_html(const app::Comparison& comparison);

}  // namespace gate::cli
