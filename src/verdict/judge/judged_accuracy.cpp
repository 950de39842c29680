#include "judge/judged_accuracy.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/numbers/guessed_metric.h"

namespace gate::judge {

namespace {

constexpr std::array accuracy_names{"lm_loss", "reward", "policy_loss"};
// Return how many steps the run has; of a log without steps how many reports of a loss.
std::size_t steps_printed(const Extraction& run) {
  std::size_t steps = 0;
  for (const Series& series : run.series)
    if (series.numbered() == Numbering::step) steps = std::max(steps, series.size());
  return steps;
}

bool tells_accuracy(const Series& series) {
  return std::ranges::find(accuracy_names, series.metric()) != accuracy_names.end() ||
         is_called_loss(series.metric());
}

std::vector<std::string> printed_accuracies(const Extraction& run, std::size_t steps) {
  std::vector<std::string> metrics;
  for (const Series& series : run.series)
    if (tells_accuracy(series) && 2 * series.size() > steps &&
        std::ranges::find(metrics, series.metric()) == metrics.end())
      metrics.push_back(series.metric());
  return metrics;
}

}  // namespace

Sentence unjudged_accuracy(const JudgeInput& input) {
  if (input.strict == Strict::no) return {};
  const std::size_t steps = steps_printed(input.run);
  const std::vector<std::string> printed = printed_accuracies(input.run, steps);
  if (!printed.empty())
    return say(
        {"no accuracy is judged, and the log prints {}: a rule for it and a baseline that has it judge it; "
         "strict = false lets it pass",
         "没有判定任何精度指标，而日志打印了 {}：要有它的规则和含有它的基线才能判定；strict = false 可放行"},
        join(printed, ", "));
  for (const UnreadLines& lines : input.run.unread)
    if (lines.tells_loss && 2 * static_cast<std::size_t>(lines.lines) > steps)
      return say({"no accuracy is judged, and nothing reads the loss in {} such as {}: gate init LOG writes "
                  "rules for it; strict = false lets it pass",
                  "没有判定任何精度指标，也没有规则读取 {}中的损失，例如 {}：gate init LOG 可为它写规则；"
                  "strict = false 可放行"},
                 count_of(lines.lines, "line", "行"), printable(trim(lines.example), 120));
  return {};
}

}  // namespace gate::judge
