#include "extract/attempts/printed_time.h"

#include <algorithm>
#include <chrono>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

// Where digits stand in `2025-03-26 14:43:37`, and what else may stand between.
constexpr std::string_view date_shape = "dddd-dd-ddTdd:dd:dd";

bool fits(char shape, char c) {
  if (shape == 'd') return is_digit(c);
  if (shape == '-') return c == '-' || c == '/';
  return shape == 'T' ? c == ' ' || c == 'T' : c == shape;
}

int digits(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) number = number * 10 + (text[i] - '0');
  return number;
}

// Return the decimals of the second, as microseconds.
int fraction(std::string_view text) {
  int micros = 0;
  if (text.empty() || (text[0] != '.' && text[0] != ',')) return micros;
  text.remove_prefix(1);
  for (int unit = 100'000; unit > 0 && !text.empty() && is_digit(text[0]); unit /= 10, text.remove_prefix(1))
    micros += unit * (text[0] - '0');
  return micros;
}

}  // namespace

std::optional<std::int64_t> printed_time(std::string_view line) {
  line = line.substr(0, longest_time_head);
  for (std::size_t at = 4; (at = line.find_first_of("-/", at)) != std::string_view::npos; ++at) {
    const std::string_view text = line.substr(at - 4);
    if (!std::ranges::equal(date_shape, text.substr(0, date_shape.size()), fits)) continue;
    const std::chrono::year_month_day date(std::chrono::year(digits(text, 0, 4)),
                                           std::chrono::month(static_cast<unsigned>(digits(text, 5, 2))),
                                           std::chrono::day(static_cast<unsigned>(digits(text, 8, 2))));
    const int hour = digits(text, 11, 2), minute = digits(text, 14, 2), second = digits(text, 17, 2);
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) continue;
    const std::chrono::seconds time = std::chrono::sys_days(date).time_since_epoch() +
                                      std::chrono::hours(hour) + std::chrono::minutes(minute) +
                                      std::chrono::seconds(second);
    return std::chrono::microseconds(time).count() + fraction(text.substr(date_shape.size()));
  }
  return std::nullopt;
}

std::optional<Extent> printed_extent(std::optional<std::int64_t> first, const TimeHead& last) {
  const std::optional<std::int64_t> end = first ? printed_time(last.view()) : std::nullopt;
  if (!end || *end < *first) return std::nullopt;
  return Extent{*first, *end};
}

}  // namespace gate::extract
