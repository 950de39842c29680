// Comparisons of sides with the first, A, as text, as JSON, and as one HTML file. There is at least one.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/comparison.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return what the sides were taken for, for each comparison a table of each case with ranks that are alike in
// one row, and a last line for each.
std::string compare_text(const std::vector<Comparison>& comparisons, const Style& style);

// Return the last line without a newline: `SAME: ...`, `DIFFERENT: 3 of 12 metrics in 2 of 4 cases, first at
// lm_loss step 7`, or `NOT COMPARABLE: ...`.
Sentence compare_closing(const Comparison& comparison);

// Return that line of each comparison, `C  SAME: ...` where there are several.
std::vector<Sentence> compare_closings(const std::vector<Comparison>& comparisons);

// Return `A  run 1122-0203 (.gate/runs/1122-0203)`, a line for each side.
std::vector<Sentence> sides_of(const std::vector<Comparison>& comparisons);

// Return how many metrics the cases compare, and in how many of them any rank differs (gate's own clocks do
// not count).
struct ComparedCount {
  std::size_t metrics = 0;
  std::size_t different = 0;
};
ComparedCount count_of_metrics(const ComparedCase& compared);

// Return the metric of the case that is farthest apart, `lm_loss +1.33 %`, and how far in percent; "" where
// none differs.
struct WorstMetric {
  Sentence words;
  double moved = 0;
};
WorstMetric worst_of(const ComparedCase& compared);

// Return the table of one case: a head, then a row for each metric, the farthest apart first.
TextRows compare_rows(const ComparedCase& compared);

// Return what goes below the table, a line each: values at the first and the largest difference, what only
// one side has, notes.
std::vector<Sentence> compare_details(const ComparedCase& compared);

// Return gate.comparison/1 (docs/schema/gate.comparison.1.json): the first comparison, with the others in it.
std::string compare_json(const std::vector<Comparison>& comparisons);

// Return the page, with a chart for each metric of the cases, all sides in it.
std::string compare_html(const std::vector<Comparison>& comparisons, Language language = Language::english);

}  // namespace gate::render
