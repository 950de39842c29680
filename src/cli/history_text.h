// The history as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "gate/app/history.h"
#include "gate/render/reporters.h"

namespace gate::cli {

// Return a table, one line a case: how often it ran and was green, and what drifts.
std::string history_table(const std::vector<app::CaseTrend>& trends, const render::Style& style);

// Return a case in full: what is flaky, every series with its changes, and the latest runs.
std::string history_text(const app::CaseTrend& trend, const render::Style& style);

// Return all of it (docs/schema/gate.trend.1.json).
std::string history_json(const std::vector<app::CaseTrend>& trends);

}  // namespace gate::cli
