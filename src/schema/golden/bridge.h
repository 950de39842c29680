// Megatron-Bridge's golden values.
//
//   {"0": {"lm loss": 11.89, "elapsed time per iteration (ms)": 53048.6}, "1": {..}}
//
// The keys count from 0 what the log counts from 1: key "0" is step 1, which a note says. What stands beside
// the steps is not used.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

bool is_megatron_bridge(const Json& document);

// Return the baseline; what does not fit is complained of, and the baseline then is worth nothing.
Baseline read_megatron_bridge(const Json& document, Complaints& complaints);

}  // namespace gate::schema
