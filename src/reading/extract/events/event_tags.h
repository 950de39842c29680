// Which metrics the tags of TensorBoard mean.
#pragma once

#include <span>
#include <string_view>

#include "extract/records/record.h"

namespace gate::extract {

// Return all tags that mean a metric, each once. Tags whose unit cannot be told (`step_time`) are not among
// them, nor means over an epoch.
std::span<const FieldRow> event_tags();

// Return the row of the tag, or nullptr.
const FieldRow* find_event_tag(std::string_view tag);

// Tell whether values under the tag are numbered by samples or tokens instead of steps: Megatron writes all
// of its scalars a second time so (`lm loss vs samples`, `y=steps,x=tokens`, `loss_by_tokens`), DeepSpeed's
// monitor all of them (`Train/Samples/lr`).
bool is_numbered_otherwise(std::string_view tag);

}  // namespace gate::extract
