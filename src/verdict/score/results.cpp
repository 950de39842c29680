#include "gate/score/results.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "gate/base/text.h"

namespace gate::score {

namespace {

Sentence told_otherwise(const std::string& what, std::optional<std::int64_t> actual,
                        std::optional<std::int64_t> golden) {
  if (actual == golden) return {};
  if (!actual || !golden) return say({"only one side tells its {}s", "只有一边写明 {} 数"}, what);
  return say({"{} instead of {}", "{}，应为 {}"}, count_of(*actual, what, "个 " + what), *golden);
}

}  // namespace

Sentence why_incomparable(const EvalTask& actual, const EvalTask& golden) {
  if (actual.version.empty() != golden.version.empty())
    return say({"only one side tells the task's version", "只有一边写明任务版本"});
  if (actual.version != golden.version)
    return say({"task version {} instead of {}", "任务版本是 {}，应为 {}"}, printable(actual.version, 80),
               printable(golden.version, 80));
  if (auto why = told_otherwise("shot", actual.shots, golden.shots); !why.empty()) return why;
  if (auto why = told_otherwise("sample", actual.samples, golden.samples); !why.empty()) return why;
  return actual.samples == 0 ? say({"no sample was evaluated", "没有评估任何样本"}) : Sentence();
}

double share_error(double share, std::int64_t samples) {
  if (!(share >= 0 && share <= 1) || samples <= 0) return 0;
  const auto n = static_cast<double>(samples);
  return std::sqrt(share * (1 - share) / n + 1 / (4 * n * n)) / (1 + 1 / n);
}

}  // namespace gate::score
