#include "schema/json/series_text.h"

#include <utility>

#include "gate/base/text.h"

namespace gate::schema {

namespace {

std::optional<std::pair<std::int64_t, std::int64_t>> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto from = parse_integer(trim(text.substr(0, dash)));
  const auto to = dash == std::string_view::npos ? from : parse_integer(trim(text.substr(dash + 1)));
  if (!from || !to || *from < 0 || *to < *from) return std::nullopt;
  return std::pair(*from, *to);
}

tl::unexpected<Error> count_differs(std::string_view have, std::size_t count) {
  return fail("holds " + std::string(have) + " numbers for " +
              count_of(static_cast<std::int64_t>(count), "value"));
}

}  // namespace

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  }
  return parts;
}

Result<std::vector<std::int64_t>> parse_ranges(std::string_view text, std::size_t count) {
  std::vector<std::int64_t> numbers;
  if (trim(text).empty() && count == 0) return numbers;
  for (const std::string_view part : split(text, ',')) {
    const auto range = parse_range(part);
    if (!range) return fail("\"" + printable(trim(part), 40) + "\" is no number and no range like 1-15");
    const auto [from, to] = *range;
    if (!numbers.empty() && from <= numbers.back())
      return fail("the numbers do not rise at " + std::to_string(from));
    if (static_cast<std::uint64_t>(to - from) >= count - numbers.size()) return count_differs("more", count);
    for (std::int64_t i = 0; i <= to - from; ++i) numbers.push_back(from + i);
  }
  if (numbers.size() != count) return count_differs(std::to_string(numbers.size()), count);
  return numbers;
}

}  // namespace gate::schema
