// gate.baseline/1 from its tree.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

// Return the baseline; what does not fit is complained of, and the baseline then is worth nothing.
Baseline read_gate_baseline(const Json& document, Complaints& complaints);

}  // namespace gate::schema
