// The history as text, as JSON and as an HTML file.
#pragma once

#include <string>
#include <vector>

#include "gate/model/trend.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return a table, one line a case: how often it ran and was green, and what drifts.
std::string history_table(const std::vector<CaseTrend>& trends, const Style& style);

// Return a case in full: what is flaky, every series with its changes, and the latest runs.
std::string history_text(const CaseTrend& trend, const Style& style);

// Return all of it (docs/schema/gate.trend.1.json).
std::string history_json(const std::vector<CaseTrend>& trends);

// Return one file with a section for each case: what is flaky, and a chart over the runs for each series,
// with its changes marked.
std::string history_html(const std::vector<CaseTrend>& trends, const std::string& suite);

}  // namespace gate::render
