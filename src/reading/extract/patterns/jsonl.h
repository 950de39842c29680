// Format `jsonl` with names of a person's own.
#pragma once

#include "extract/records/format_spec.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Return the format `jsonl` that reads these names beside the usual ones; they come first. The usual
// names of a rank, a total or a step are not looked at if such a one is given. It is meant (see
// choice.h) where a log holds one of the names.
FormatSpec jsonl_format(const JsonNames& names);

}  // namespace gate::extract
