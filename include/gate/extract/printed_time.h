// When a line was printed, as it says itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gate::extract {

// Return the first date and time in the line's beginning, `2025-03-26 14:43:37.001748` or with `/`, `T` and
// `,`, in microseconds since 1970 by whatever clock printed it; nothing where there is none, or it is no
// date.
std::optional<std::int64_t> printed_time(std::string_view line);

}  // namespace gate::extract
