// What stands below a chart, in words.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/chart.h"

namespace gate::render {

struct LegendWords {
  std::string style;  // of the page: run, baseline, side1, limit, band, window
  Sentence text;
};

// Return what a place on the x axis is called: its label, else its number. The tick is what stands below it.
std::string place_name(const Chart& chart, std::size_t place);
std::string tick_name(const Chart& chart, std::size_t place);

// Return what each line and colour of the chart is: `run, mean 311.99`, `baseline, dashed, mean 342.61`,
// `limit 325.48`, `judged: step 51-60`. Ranks that share a chart are counted: `run, 8 ranks`.
std::vector<LegendWords> legend_of(const Chart& chart);

// Return what the curves do not show: the chart's own note, values beyond the edges of what is shown at
// first, and how many of its places are drawn. "" where there is nothing to say.
Sentence chart_note(const Chart& chart, std::size_t drawn);

// Return `12 %`, `1.8 times`: of something of which 1 is all. Within it rounded down, beyond it never to 100
// %.
Sentence used_words(double share);

}  // namespace gate::render
