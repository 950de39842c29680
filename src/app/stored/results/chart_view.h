// What of a chart is looked at first.
#pragma once

#include <optional>

#include "gate/model/reports/chart.h"

namespace gate::app {

// Set which part of either axis is drawn at first. Of x: the judged window with as much on either side as it
// is long, and all marks; everything where that is no less than a third of it. Of y: what lies in the window,
// its band and its levels among it, where the rest would make that smaller than a third: a warm-up is left
// out so. A chart that nothing judges, or that has no value in its window, keeps everything.
void choose_view(Chart& chart);

// Return the chart of the run in percent of the baseline, less 100, for one whose window is reduced to one
// value: one curve each of run and baseline, and levels of both. Else nothing.
std::optional<Chart> ratio_of(const Chart& chart);

}  // namespace gate::app
