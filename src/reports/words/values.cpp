#include "gate/words/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gate/base/text.h"

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

// As many of the parts as there is room for, and how many numbers there are where that is not all.
Sentence cut_list(const std::vector<Sentence>& parts, const StepSet& numbers) {
  Sentence all;
  for (const Sentence& part : parts) {
    if (all.english().size() + (all.empty() ? 0 : 2) + part.english().size() > longest_list)
      return say({"{}, ... ({} in all)", "{} …（共 {} 个）"}, all, numbers.size());
    all += (all.empty() ? "" : ", ") + part;
  }
  return all;
}

// `3`, `1 and 2`, else all of them.
Sentence list(const StepSet& numbers, const std::vector<Sentence>& parts) {
  if (numbers.size() != 2) return cut_list(parts, numbers);
  return say({"{} and {}", "{} 和 {}"}, numbers.front(), numbers.back());
}

// `1`, `4-9`: each range.
std::vector<Sentence> parts_of(const StepSet& numbers) {
  std::vector<Sentence> parts;
  for (const StepSet::Range& range : numbers.ranges())
    parts.emplace_back(range.first == range.last ? std::to_string(range.first)
                                                 : fmt::format("{}-{}", range.first, range.last));
  return parts;
}

// The same, and `10-150 by 10` of numbers that are equally far apart.
std::vector<Sentence> parts_by_distance(const StepSet& numbers) {
  constexpr std::size_t fewest = 4;
  std::vector<Sentence> parts;
  std::span<const StepSet::Range> left = numbers.ranges();
  while (!left.empty()) {
    const std::size_t alike = equally_far(left), taken = alike < fewest ? 1 : alike;
    const StepSet::Range range = left.front();
    if (taken > 1)
      parts.push_back(say({"{}-{} by {}", "{}-{} 每隔 {}"}, range.first, left[taken - 1].last,
                          left[1].first - range.first));
    else
      parts.emplace_back(std::to_string(range.first));
    if (taken == 1 && range.last > range.first)
      parts.back() += (range.last == range.first + 1 ? ", " : "-") + std::to_string(range.last);
    left = left.subspan(taken);
  }
  return parts;
}

struct NumberingWords {
  Numbering numbered;
  std::string_view before, behind;  // of numbers, in Chinese
  std::string_view counted;         // of how many
  std::string_view measure;         // likewise, where the noun stands beside it
  std::string_view noun;
};

constexpr std::array numbering_words{
    NumberingWords{Numbering::step, "第 ", " 步", "步", "步", "步"},
    NumberingWords{Numbering::report, "第 ", " 次打印", "次打印", "次", "打印"},
    NumberingWords{Numbering::time, "时刻 ", "", "个时刻", "个", "时刻"},
};

const NumberingWords& words_of(Numbering numbered) {
  return *row_in(numbering_words, numbered, &NumberingWords::numbered);
}

bool is_above_zero(const Value& value) {
  if (!value.is_finite()) return value.kind == ValueKind::positive_infinity;
  return !value.number.is_zero() && !value.number.is_negative();
}

std::string range_text(const LimitRange& range) {
  const std::string low = (range.low_open ? "> " : "") + value_text(range.low);
  const std::string high = (range.high_open ? "< " : "") + value_text(range.high);
  if (!range.low) return high;
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

Sentence baseline_text(const std::optional<Value>& value) {
  return value && value->kind == ValueKind::left_out ? say({"not recorded", "未记录"}) : shown_text(value);
}

Sentence actual_text(const std::optional<Value>& value) {
  return value ? shown_text(value) : say({"not in the run", "运行中没有"});
}

Sentence shown_text(const std::optional<Value>& value) {
  if (value && value->kind == ValueKind::left_out) return say({"left out", "缺值"});
  return as_is(value_text(value));
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

Sentence limit_text(const LimitRanges& limit) {
  std::vector<Sentence> ranges;
  for (const LimitRange& range : limit)
    ranges.push_back(range.low || range.high ? as_is(range_text(range)) : say({"any", "任意"}));
  return join(ranges, {" or ", " 或 "});
}

Sentence tolerance_text(const Tolerance& tolerance) {
  std::vector<Sentence> ways;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    std::vector<Sentence> bounds;
    for (const Bound& bound : all_of) bounds.push_back(as_is(to_string(bound)));
    ways.push_back(join(bounds, say({" and ", " 且 "})));
  }
  return join(ways, say({" or ", " 或 "}));
}

Sentence ranges_text(const StepSet& numbers) { return cut_list(parts_by_distance(numbers), numbers); }

Sentence numbers_text(const StepSet& numbers, Numbering numbered) {
  const Sentence all = list(numbers, parts_by_distance(numbers));
  const NumberingWords& chinese = words_of(numbered);
  return {std::string(to_string(numbered)) + (numbers.size() == 1 ? " " : "s ") + all.english(),
          std::string(chinese.before) + all.in(Language::chinese) + std::string(chinese.behind)};
}

Sentence numbers_text(std::span<const std::int64_t> numbers, Numbering numbered) {
  return numbers_text(StepSet(numbers), numbered);
}

Sentence number_text(std::int64_t number, Numbering numbered) {
  return numbers_text(std::span(&number, 1), numbered);
}

Sentence noun_text(Numbering numbered) {
  return {std::string(to_string(numbered)), std::string(words_of(numbered).noun)};
}

Sentence count_text(std::int64_t count, Numbering numbered) {
  return count_of(count, to_string(numbered), words_of(numbered).counted);
}

Sentence part_text(std::int64_t count, Numbering numbered) {
  return {std::to_string(count), fmt::format("{} {}", count, words_of(numbered).measure)};
}

Sentence ranks_text(std::span<const std::optional<int>> ranks) {
  std::vector<std::int64_t> numbers;
  for (const std::optional<int>& rank : ranks)
    if (rank) numbers.push_back(*rank);
  if (numbers.empty()) return {};
  std::ranges::sort(numbers);
  const StepSet set(numbers);
  return say({"{} {}", "{} {}"}, Sentence(numbers.size() == 1 ? "rank" : "ranks", "rank"),
             list(set, parts_of(set)));
}

Sentence quarantine_can_go(std::size_t green) {
  return say({"{0} of {0} green on commits that were green elsewhere: the quarantine can go",
              "在其他用例为绿的提交上 {0} 次中 {0} 次为绿：可以解除隔离"},
             green);
}

Sentence verdict_text(Verdict verdict) {
  constexpr std::array chinese{"中断", "跳过", "未运行", "劣化",   "环境故障", "卡死",
                               "超时", "崩溃", "不完整", "未判定", "通过"};
  return {std::string(to_string(verdict)), chinese.at(static_cast<std::size_t>(verdict))};
}

Sentence status_text(CheckStatus status) {
  constexpr std::array chinese{"通过", "失败", "缺失", "无法比较", "未定", "豁免", "出错", "跳过"};
  return {std::string(to_string(status)), chinese.at(static_cast<std::size_t>(status))};
}

Sentence window_text(const Window& window) {
  using enum Window::Kind;
  const std::string english = to_string(window);
  switch (window.kind) {
    case all:
      return {english, "全部"};
    case first:
      return {english, fmt::format("前 {} 个", window.a)};
    case last:
      return {english, fmt::format("最后 {} 个", window.a)};
    case after:
      return {english, fmt::format("{} 之后", window.a)};
    case step:
      return {english, fmt::format("第 {} 步", window.a)};
    case between:
      break;
  }
  return as_is(english);
}

std::string label(std::string_view metric, const std::optional<int>& rank) {
  return std::string(metric) + (rank ? " rank " + std::to_string(*rank) : "");
}

std::string spoken(std::string_view metric) {
  std::string words(metric);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Sentence both(const Sentence& first, const Sentence& second) {
  return join(std::array{first, second}, semicolon);
}

}  // namespace gate::words
