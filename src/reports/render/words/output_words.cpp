#include "render/words/part_words.h"

#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/base/utf8.h"
#include "gate/score/score_metric.h"

namespace gate::render {

namespace {

constexpr std::size_t most_code_points = 100;
constexpr std::size_t before_difference = 30;

// The places at which code points begin, and the end.
std::vector<std::size_t> code_points_of(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!is_continuation(text[i])) starts.push_back(i);
  starts.push_back(text.size());
  return starts;
}

// The part of a line around a place.
std::string part_around(const std::string& line, std::int64_t offset) {
  const std::vector<std::size_t> starts = code_points_of(line);
  const std::size_t count = starts.size() - 1;
  const auto at = static_cast<std::size_t>(std::max<std::int64_t>(0, offset));
  std::size_t first = at > before_difference && count > most_code_points ? at - before_difference : 0;
  first = std::min(first, count);
  const std::size_t last = std::min(count, first + most_code_points);
  const std::string part = line.substr(starts[first], starts[last] - starts[first]);
  return (first > 0 ? "..." : "") + printable(part, 4 * most_code_points) + (last < count ? "..." : "");
}

score::Input input_of(const OutputScore& score) {
  const std::size_t point = score.metric.rfind('.');
  const score::MetricRow* row = score::find_metric(score.metric.substr(point + 1));
  return row == nullptr ? score::Input::text : row->input;
}

Sentence compared_words(const OutputScore& score) {
  switch (input_of(score)) {
    case score::Input::numbers:
      return count_of(score.compared, "value", "个值");
    case score::Input::tensors:
      return count_of(score.compared, "tensor", "个张量");
    default:
      return count_of(score.compared, "line", "行");
  }
}

ShownDifference shown_difference(const OutputDifference& difference, bool is_value, const Sentence& which) {
  const Sentence place = !difference.place.empty() ? as_is(printable(difference.place, 4 * most_code_points))
                         : is_value                ? say({"value {}", "第 {} 个值"}, difference.number)
                                                   : say({"line {}", "第 {} 行"}, difference.number);
  const std::string value = difference.value ? fmt::format(" ({:.4g})", *difference.value) : "";
  return {place + comma + which + as_is(value), part_around(difference.golden, difference.offset),
          part_around(difference.actual, difference.offset)};
}

ShownOutput shown_score(const OutputScore& score) {
  const bool is_value = input_of(score) == score::Input::numbers;
  const Sentence all = compared_words(score);
  ShownOutput shown{
      as_is(score.metric) + colon +
          (score.differing == 1 ? say({"{} of {} differs", "{1}中有 {0} 处不同"}, score.differing, all)
                                : say({"{} of {} differ", "{1}中有 {0} 处不同"}, score.differing, all)),
      {}};
  if (!score.signature.empty()) shown.title += semicolon + as_is(score.signature);
  const bool is_one = score.first && score.worst && score.first->number == score.worst->number &&
                      score.first->place == score.worst->place;
  if (score.first)
    shown.differences.push_back(shown_difference(
        *score.first, is_value,
        is_one ? say({"the first and the worst", "首处且最差"}) : say({"the first", "首处"})));
  if (score.worst && !is_one)
    shown.differences.push_back(shown_difference(*score.worst, is_value, say({"the worst", "最差"})));
  return shown;
}

Sentence stage_word(const StageResult& stage) {
  const std::string time = stage.duration.count() > 0 ? " " + rough(stage.duration) : "";
  const Sentence word = as_is(std::string(to_string(stage.stage)) + time);
  return stage.has_failed() ? say({"{} failed", "{} 失败"}, word) : word;
}

}  // namespace

Sentence stage_words(const CaseReport& report) {
  std::vector<Sentence> words;
  for (const StageResult& stage : report.stages) words.push_back(stage_word(stage));
  return join(words, comma);
}

std::vector<ShownOutput> shown_outputs(const CaseReport& report) {
  std::vector<ShownOutput> shown;
  for (const OutputResult& output : report.outputs)
    for (const OutputScore& score : output.scores)
      if (score.first || score.worst) shown.push_back(shown_score(score));
  return shown;
}

}  // namespace gate::render
