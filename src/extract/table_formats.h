// The formats that are data: each has a file of its own, named after it. See record_kind.h and
// docs/formats.md.
#pragma once

#include "extract/format_spec.h"

namespace gate::extract {

FormatSpec deepspeed_format();
FormatSpec hf_trainer_format();
FormatSpec jsonl_format();
FormatSpec llama_factory_format();
FormatSpec ms_swift_format();
FormatSpec torchtitan_format();
FormatSpec verl_format();

}  // namespace gate::extract
