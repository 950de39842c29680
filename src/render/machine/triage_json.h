// A suite's triage as JSON.
#pragma once

#include "gate/model/triage.h"
#include "gate/render/table_json.h"

namespace gate::render {

// Return `{"metrics": [...], "apart": [...]}`, percentages with six decimals
// (docs/schema/gate.comparison.1.json).
OutputJson triage_json(const Triage& triage);

}  // namespace gate::render
