// The formats that are data: each has a file of its own, named after it. See record_kind.h and
// docs/formats.md.
#pragma once

#include "extract/format_spec.h"

namespace gate::extract {

FormatSpec flagperf_format();
FormatSpec hf_trainer_format();
FormatSpec internlm_format();
FormatSpec lightning_format();
FormatSpec llm_c_format();
FormatSpec mindformers_format();
FormatSpec mindspeed_fsdp2_format();
FormatSpec mindspeed_mm_format();
FormatSpec mindspeed_rl_format();
FormatSpec mllog_format();
FormatSpec nanogpt_format();
FormatSpec nanotron_format();
FormatSpec nemo_format();
FormatSpec olmo_format();
FormatSpec paddlenlp_format();
FormatSpec torchtitan_format();

}  // namespace gate::extract
