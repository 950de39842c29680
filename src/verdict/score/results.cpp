#include "gate/score/results.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "gate/base/text.h"

namespace gate::score {

namespace {

std::string told_otherwise(std::string_view what, std::optional<std::int64_t> actual,
                           std::optional<std::int64_t> golden) {
  if (actual == golden) return "";
  if (!actual || !golden) return fmt::format("only one side tells its {}s", what);
  return fmt::format("{} instead of {}", count_of(*actual, what), *golden);
}

}  // namespace

std::string why_incomparable(const EvalTask& actual, const EvalTask& golden) {
  if (actual.version.empty() != golden.version.empty()) return "only one side tells the task's version";
  if (actual.version != golden.version)
    return fmt::format("task version {} instead of {}", printable(actual.version, 80),
                       printable(golden.version, 80));
  if (auto why = told_otherwise("shot", actual.shots, golden.shots); !why.empty()) return why;
  if (auto why = told_otherwise("sample", actual.samples, golden.samples); !why.empty()) return why;
  return actual.samples == 0 ? "no sample was evaluated" : "";
}

double share_error(double share, std::int64_t samples) {
  if (!(share >= 0 && share <= 1) || samples <= 0) return 0;
  const auto n = static_cast<double>(samples);
  return std::sqrt(share * (1 - share) / n + 1 / (4 * n * n)) / (1 + 1 / n);
}

}  // namespace gate::score
