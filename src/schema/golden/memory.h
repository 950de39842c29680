// `memo info` of the ModelLink / MindSpeed family.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

// Append memory_allocated and memory_max_allocated of every rank in the list to the baseline's first run, by
// metric, then by rank. The k-th entry of a rank is its report k.
void read_golden_memory(const Json& list, Baseline& baseline, Complaints& complaints);

}  // namespace gate::schema
