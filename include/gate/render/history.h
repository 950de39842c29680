// The history as text, as JSON and as an HTML file.
#pragma once

#include <functional>
#include <string>

#include "gate/model/reports/trend.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return where the suite moved as one, all cases over the latest runs that the width has room for (a letter
// each), and a line for each case that has more to say: red, flaky, changed.
std::string history_table(const SuiteTrend& suite, const Style& style);

// Return where the suite moved as one, a line for each metric below a line that says since when; "" where it
// did not.
std::string suite_moves_text(const SuiteTrend& suite, const Style& style);

// Return a case in full: since when it is red and how to find why, what is flaky, what else it ran on, every
// series with its changes, and the latest runs with the main metrics.
std::string history_text(const CaseTrend& trend, const Style& style);

// Return the groups of each case in a table: how many runs, how many of them green, and where the main
// metrics lie: the median and the quartiles around it.
std::string history_groups(const SuiteTrend& suite, const Style& style);

// Return all of it (docs/schema/gate.trend.1.json).
std::string history_json(const SuiteTrend& suite);

// Return one file: where the suite moved as one, all cases over the runs, a section for each run with what to
// type, and one for each case: what is flaky, and a chart over the runs for each series,
// with its changes marked. Of a run whose page is kept there is a link to it: `page_of` returns its path, ""
// where there is none.
std::string history_html(const SuiteTrend& trend, const std::string& suite,
                         Language language = Language::english,
                         const std::function<std::string(const std::string& run)>& page_of = nullptr);

}  // namespace gate::render
