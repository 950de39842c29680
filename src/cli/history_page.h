// The history as an HTML file.
#pragma once

#include <string>
#include <vector>

#include "gate/app/history.h"

namespace gate::cli {

// Return one file with a section for each case: what is flaky, and a chart over the runs for each series,
// with its changes marked.
std::string history_html(const std::vector<app::CaseTrend>& trends, const std::string& suite);

}  // namespace gate::cli
