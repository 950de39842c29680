// Format `jsonl` with names of a person's own.
#pragma once

#include "extract/records/format_spec.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Return the format `jsonl` that reads these names beside the usual ones; they come first. Where the names
// of a rank, a total or a step are given, the usual ones of that number are not looked at. It is meant (see
// choice.h) where a log holds one of the names.
FormatSpec jsonl_format(const JsonNames& names);

}  // namespace gate::extract
