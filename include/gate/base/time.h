// Durations and moments as people write them. Nothing here reads a clock but `now` and `since`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gate {

using Duration = std::chrono::milliseconds;
using Moment = std::chrono::system_clock::time_point;
using SteadyClock = std::chrono::steady_clock;  // never goes back

// Return the duration of `90s`, `30m`, `2h`, `1h30m`, `250ms`, `1d`; a bare number is no duration.
// Nothing if the text is malformed, negative or longer than ten years.
std::optional<Duration> parse_duration(std::string_view text);

// Return the duration in its shortest exact form that parse_duration reads: `1h30m`, `0s`.
std::string to_string(Duration duration);

// Return the duration for people, rounded to two units at most: `1h52m`, `7.3s`, `850ms`.
std::string rough(Duration duration);

// Return the moment as UTC in ISO 8601, to the second: `2026-11-21T02:03:04Z`.
std::string to_iso(Moment moment);

// Return the moment that to_iso wrote, of the years 1970 to 2199, or nothing.
std::optional<Moment> parse_iso(std::string_view text);

// Return how many days the ISO date `to` lies behind the date `from`, negative if it lies before it; nothing
// unless both are dates of the years 1970 to 2199.
std::optional<std::int64_t> days_between(std::string_view from, std::string_view to);

Moment now();

// Return how long ago that was.
inline Duration since(SteadyClock::time_point then) {
  return std::chrono::duration_cast<Duration>(SteadyClock::now() - then);
}

}  // namespace gate
