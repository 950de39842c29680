#include "gate/words/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gate::words {

namespace {

constexpr std::size_t longest_list = 100;

// Return how many ranges from this one on are single numbers that are as far apart as its neighbour is.
std::size_t equally_far(std::span<const StepSet::Range> ranges) {
  std::size_t count = 0;
  while (count < ranges.size() && ranges[count].first == ranges[count].last &&
         (count < 2 || ranges[count].first - ranges[count - 1].first == ranges[1].first - ranges[0].first))
    ++count;
  return count;
}

std::string cut_list(const std::string& all, const StepSet& numbers) {
  if (all.size() <= longest_list) return all;
  return all.substr(0, all.rfind(',', longest_list)) + ", ... (" + std::to_string(numbers.size()) +
         " in all)";
}

// `3`, `1 and 2`, else all of them.
std::string list(const StepSet& numbers, const std::string& all) {
  if (numbers.size() != 2) return cut_list(all, numbers);
  return std::to_string(numbers.front()) + " and " + std::to_string(numbers.back());
}

bool is_above_zero(const Value& value) {
  if (!value.is_finite()) return value.kind == ValueKind::positive_infinity;
  return !value.number.is_zero() && !value.number.is_negative();
}

std::string range_text(const LimitRange& range) {
  const std::string low = (range.low_open ? "> " : "") + value_text(range.low);
  const std::string high = (range.high_open ? "< " : "") + value_text(range.high);
  if (!range.low) return range.high ? high : "any";
  const bool is_one = range.low == range.high && !range.low_open && !range.high_open;
  return range.high && !is_one ? low + ".." + high : low;
}

}  // namespace

std::string value_text(const Value& value) {
  switch (value.kind) {
    case ValueKind::finite:
      return value.number.to_string();
    case ValueKind::nan:
      return "nan";
    case ValueKind::positive_infinity:
      return "inf";
    case ValueKind::negative_infinity:
      return "-inf";
    case ValueKind::left_out:
      return "left out";
  }
  return "";
}

std::string value_text(const std::optional<Value>& value) { return value ? value_text(*value) : ""; }

std::string baseline_text(const std::optional<Value>& value) {
  return value && value->kind == ValueKind::left_out ? "not recorded" : value_text(value);
}

std::string actual_text(const std::optional<Value>& value) {
  return value ? value_text(*value) : "not in the run";
}

std::string signed_text(const Value& value) { return (is_above_zero(value) ? "+" : "") + value_text(value); }

std::string signed_text(const std::optional<Value>& value) { return value ? signed_text(*value) : ""; }

std::string percent_text(const std::optional<double>& percent) {
  if (!percent) return "";
  if (*percent == 0) return "0 %";
  return std::fabs(*percent) < 999.5 ? fmt::format("{:+.3g} %", *percent)
                                     : fmt::format("{:+.0f} %", *percent);
}

std::string moved_text(const std::optional<Value>& delta, const std::optional<double>& percent) {
  return signed_text(delta) + (delta && percent ? " (" + percent_text(percent) + ")" : "");
}

std::string limit_text(const LimitRanges& limit) {
  std::string out;
  for (const LimitRange& range : limit) out += (out.empty() ? "" : " or ") + range_text(range);
  return out;
}

std::string ranges_text(const StepSet& numbers) {
  constexpr std::size_t fewest = 4;
  std::span<const StepSet::Range> left = numbers.ranges();
  std::string out;
  while (!left.empty()) {
    const std::size_t alike = equally_far(left), taken = alike < fewest ? 1 : alike;
    StepSet::Range range = left.front();
    out += (out.empty() ? "" : ", ") + std::to_string(range.first);
    if (taken > 1)
      out +=
          "-" + std::to_string(left[taken - 1].last) + " by " + std::to_string(left[1].first - left[0].first);
    else if (range.last > range.first)
      out += (range.last == range.first + 1 ? ", " : "-") + std::to_string(range.last);
    left = left.subspan(taken);
  }
  return cut_list(out, numbers);
}

std::string numbers_text(const StepSet& numbers, Numbering numbered) {
  return std::string(to_string(numbered)) + (numbers.size() == 1 ? " " : "s ") +
         list(numbers, ranges_text(numbers));
}

std::string numbers_text(std::span<const std::int64_t> numbers, Numbering numbered) {
  return numbers_text(StepSet(numbers), numbered);
}

std::string number_text(std::int64_t number, Numbering numbered) {
  return numbers_text(std::span(&number, 1), numbered);
}

std::string ranks_text(std::span<const std::optional<int>> ranks) {
  std::vector<std::int64_t> numbers;
  for (const std::optional<int>& rank : ranks)
    if (rank) numbers.push_back(*rank);
  std::ranges::sort(numbers);
  const StepSet set(numbers);
  return numbers.empty() ? "" : (numbers.size() == 1 ? "rank " : "ranks ") + list(set, to_string(set));
}

std::string label(std::string_view metric, const std::optional<int>& rank) {
  return std::string(metric) + (rank ? " rank " + std::to_string(*rank) : "");
}

std::string spoken(std::string_view metric) {
  std::string words(metric);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string both(std::string_view first, std::string_view second) {
  if (first.empty() || second.empty()) return std::string(first.empty() ? second : first);
  return std::string(first) + "; " + std::string(second);
}

}  // namespace gate::words
