// Megatron-LM's `golden_values_{dev,lts}_{platform}.json`.
//
//   {"lm loss": {"start_step": 1, "end_step": 100, "step_interval": 5, "values": {"1": 10.95, "5": 10.81,
//   ...}}}
//
// The keys are the steps. In older files `values` is a list, whose i-th element (from 0) is of step
// start_step + i * step_interval, marked assumed. A text instead of a number, or null, is a step that was not
// recorded. Seconds and bytes become ms and MiB; memory, too, is numbered by step.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

bool is_megatron(const Json& document);

// Return the baseline; what does not fit is complained of, and the baseline then is worth nothing.
Baseline read_megatron(const Json& document, Complaints& complaints);

}  // namespace gate::schema
