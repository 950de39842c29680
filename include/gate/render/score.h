// What `gate score` prints.
#pragma once

#include <string>

#include "gate/model/reports/report.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the verdict, if there is one, each score, how it was computed, and the first and the worst line.
std::string score_text(const CaseReport& report, bool is_judged, const Style& style);

// Return the same as JSON, values in full: schema gate.score/1.
std::string score_json(const CaseReport& report, bool is_judged, int exit_code);

}  // namespace gate::render
