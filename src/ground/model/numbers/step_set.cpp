#include "gate/model/numbers/step_set.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr std::int64_t most_numbers = 10'000'000;

std::optional<StepSet::Range> parse_range(std::string_view word) {
  const std::size_t dash = word.find('-', 1);
  const auto first = parse_integer(word.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_integer(word.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  const auto further = static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first);
  if (further >= static_cast<std::uint64_t>(most_numbers)) return std::nullopt;
  return StepSet::Range{*first, *last};
}

}  // namespace

StepSet::StepSet(std::span<const std::int64_t> rising) {
  for (const std::int64_t number : rising) {
    if (!ranges_.empty() && ranges_.back().last + 1 == number) {
      ranges_.back().last = number;
    } else {
      ranges_.push_back({number, number});
    }
  }
}

std::optional<StepSet> StepSet::parse(std::string_view text) {
  StepSet steps;
  std::int64_t left = most_numbers;
  if (trim(text).empty()) return steps;
  for (const std::string_view part : split(text, ',')) {
    const std::optional<Range> range = parse_range(trim(part));
    if (!range || (!steps.empty() && range->first <= steps.back())) return std::nullopt;
    left -= range->last - range->first + 1;
    if (left < 0) return std::nullopt;
    const bool goes_on = !steps.empty() && steps.back() + 1 == range->first;
    if (goes_on) {
      steps.ranges_.back().last = range->last;
    } else {
      steps.ranges_.push_back(*range);
    }
  }
  return steps;
}

std::int64_t StepSet::size() const {
  std::int64_t count = 0;
  for (const Range& range : ranges_) count += range.last - range.first + 1;
  return count;
}

bool StepSet::contains(std::int64_t number) const {
  const auto it = std::ranges::lower_bound(ranges_, number, {}, &Range::last);
  return it != ranges_.end() && it->first <= number;
}

std::vector<std::int64_t> StepSet::numbers() const {
  std::vector<std::int64_t> all;
  for (const Range& range : ranges_)
    for (std::int64_t number = range.first; number <= range.last; ++number) all.push_back(number);
  return all;
}

std::string to_string(const StepSet& steps) {
  std::string out;
  for (const StepSet::Range& range : steps.ranges()) {
    out += (out.empty() ? "" : ", ") + std::to_string(range.first);
    if (range.last > range.first)
      out += (range.last == range.first + 1 ? ", " : "-") + std::to_string(range.last);
  }
  return out;
}

}  // namespace gate
