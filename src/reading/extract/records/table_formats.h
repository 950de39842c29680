// The formats that are data: each has a file of its own, named after it. See record_kind.h and
// docs/formats.md.
#pragma once

#include "extract/records/format_spec.h"

namespace gate::extract {

FormatSpec deepspeed_format();
FormatSpec flagperf_format();
FormatSpec hf_trainer_format();
FormatSpec internlm_format();
FormatSpec jsonl_format();
FormatSpec lightning_format();
FormatSpec llama_factory_format();
FormatSpec llm_c_format();
FormatSpec mindformers_format();
FormatSpec mindspeed_fsdp2_format();
FormatSpec mindspeed_mm_format();
FormatSpec mindspeed_rl_format();
FormatSpec mllog_format();
FormatSpec modded_nanogpt_format();
FormatSpec ms_swift_format();
FormatSpec nanogpt_format();
FormatSpec nanotron_format();
FormatSpec nemo_format();
FormatSpec olmo_format();
FormatSpec paddlenlp_format();
FormatSpec torchtitan_format();
FormatSpec verl_format();

}  // namespace gate::extract
