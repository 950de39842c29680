// The parts of the table of messages.
#pragma once

#include <span>
#include <string_view>

#include "gate/extract/messages.h"

namespace gate::extract {

extern const std::span<const MessageRow> memory_messages;
extern const std::span<const MessageRow> gpu_messages;
extern const std::span<const MessageRow> ascend_messages;
extern const std::span<const MessageRow> collective_messages;
extern const std::span<const MessageRow> system_messages;
extern const std::span<const MessageRow> python_messages;
extern const std::span<const MessageRow> scheduler_messages;

// The last line of any Python traceback that no other row knows; found by its shape, not by its pattern.
inline constexpr std::string_view traceback_name = "traceback";

}  // namespace gate::extract
