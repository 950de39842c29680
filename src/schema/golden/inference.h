// Megatron-LM's golden values of inference.
//
//   {"0": {"input_prompt": .., "generated_text": .., "latency": .., "logprobs": [..]}, ..., "throughput":
//   [..],
//    "mem-max-allocated-bytes": N}
//
// Only what stands beside the requests are series: `throughput` is tokens_per_second of steps 1..N, marked
// assumed; the memory is one report.
#pragma once

#include "gate/model/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

bool is_megatron_inference(const Json& document);

// Return the baseline; what does not fit is complained of, also a file that holds requests only.
Baseline read_megatron_inference(const Json& document, Complaints& complaints);

}  // namespace gate::schema
