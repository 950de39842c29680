// Charts as the page's script reads them.
#pragma once

#include <string>

#include "gate/model/reports/chart.h"

namespace gate::render {

// Return the chart as JSON in one line that can stand in a <script> element: none of `<`, `>` and `&` is in
// it. `places` is how many places it had before it was downsampled.
std::string chart_json(const Chart& chart, std::size_t places, Language language);

}  // namespace gate::render
