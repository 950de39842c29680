#include "gate/base/time.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace gate {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t milliseconds;
};

constexpr std::array<Unit, 5> units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::int64_t ten_years = 3'652LL * 86'400'000;

std::int64_t unit_of(std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit.milliseconds;
  return 0;
}

std::string two_units(std::int64_t large, std::string_view large_unit, std::int64_t small,
                      std::string_view small_unit) {
  return small == 0 ? fmt::format("{}{}", large, large_unit)
                    : fmt::format("{}{}{:02}{}", large, large_unit, small, small_unit);
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  std::int64_t total = 0, last_unit = ten_years;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    double count = 0;
    const auto [stop, error] =
        std::from_chars(text.data(), text.data() + text.size(), count, std::chars_format::fixed);
    if (error != std::errc() || count < 0 || count > 1e12) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    const std::size_t letters = std::min(text.find_first_not_of("dhms"), text.size());
    const std::int64_t unit = unit_of(text.substr(0, letters));
    if (unit == 0 || unit >= last_unit || count * static_cast<double>(unit) > 1e15) return std::nullopt;
    total += std::llround(count * static_cast<double>(unit));
    last_unit = unit;
    text.remove_prefix(letters);
  }
  return total <= ten_years ? std::optional(Duration(total)) : std::nullopt;
}

std::string to_string(Duration duration) {
  std::int64_t rest = duration.count();
  std::string out;
  for (const Unit& unit : units) {
    if (rest >= unit.milliseconds) out += std::to_string(rest / unit.milliseconds) + std::string(unit.name);
    rest %= unit.milliseconds;
  }
  return out.empty() ? "0s" : out;
}

std::string rough(Duration duration) {
  const std::int64_t ms = duration.count();
  if (ms < 1'000) return fmt::format("{}ms", ms);
  if (ms < 60'000) return fmt::format("{:.1f}s", static_cast<double>(ms) / 1e3);
  const std::int64_t s = (ms + 500) / 1'000;
  if (s < 3'600) return two_units(s / 60, "m", s % 60, "s");
  if (s < 86'400) return two_units(s / 3'600, "h", s % 3'600 / 60, "m");
  return two_units(s / 86'400, "d", s % 86'400 / 3'600, "h");
}

std::string to_iso(Moment moment) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

std::optional<Moment> parse_iso(std::string_view text) {
  std::tm utc{};
  const std::string copy(text);
  const char* end = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  constexpr int first_year = 1970, last_year = 2199;  // a clock of nanoseconds ends in 2262
  const int year = 1900 + utc.tm_year;
  if (end == nullptr || year < first_year || year > last_year) return std::nullopt;
  const Moment moment = std::chrono::system_clock::from_time_t(timegm(&utc));
  return to_iso(moment) == text ? std::optional(moment) : std::nullopt;  // strptime takes 31 February
}

std::optional<std::int64_t> days_between(std::string_view from, std::string_view to) {
  const auto first = parse_iso(std::string(from) + "T00:00:00Z");
  const auto last = parse_iso(std::string(to) + "T00:00:00Z");
  if (!first || !last) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::hours>(*last - *first).count() / 24;
}

Moment now() { return std::chrono::system_clock::now(); }

}  // namespace gate
