// Charts as the page's script reads them.
#pragma once

#include <string>

#include "gate/model/reports/chart.h"

namespace gate::render {

// Return the chart but its labels as JSON in one line that can stand in a <script> element: none of `<`, `>`
// and `&` is in it. `places` is how many places it had before it was downsampled.
std::string chart_json(const Chart& chart, std::size_t places, Language language);

// Return likewise the labels, each with its tick first: many charts of a page have the same ones.
std::string labels_json(const std::vector<PlaceLabel>& labels);

}  // namespace gate::render
