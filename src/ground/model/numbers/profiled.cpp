#include "gate/model/numbers/profiled.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {

std::string to_string(const ProfiledSteps& steps) {
  std::vector<std::string> ranges;
  for (const StepSet::Range& range : steps)
    if (std::string text = to_string(StepSet(range)); std::ranges::find(ranges, text) == ranges.end())
      ranges.push_back(std::move(text));
  const bool is_one = steps.size() == 1 && steps.front().first == steps.front().last;
  return (is_one ? "step " : "steps ") + join(ranges, ", ");
}

std::int64_t steps_of_a_sample(const Series& series) {
  std::int64_t smallest = 0, last = 0;
  for (auto it = series.samples().begin(); it != series.samples().end(); ++it) {
    const std::int64_t apart = it.number() - last;
    if (it.index() > 0 && (smallest == 0 || apart < smallest)) smallest = apart;
    last = it.number();
  }
  return std::max<std::int64_t>(smallest, 1);
}

void leave_out_profiled(std::vector<Series>& all, const ProfiledSteps& profiled, const MetricTable& metrics) {
  if (profiled.empty()) return;
  for (Series& series : all) {
    if (series.empty() || metrics.get(series.metric()).kind != MetricKind::speed) continue;
    const std::int64_t steps = series.numbered() == Numbering::step ? steps_of_a_sample(series) : 0;
    const auto is_profiled = [&](std::int64_t number) {
      return steps == 0 || std::ranges::any_of(profiled, [&](const StepSet::Range& range) {
               return range.first <= number && range.last > number - steps;
             });
    };
    series = series_at(series, [&, all = series](std::int64_t number) {
      const std::optional<Sample> sample = all.find(number);
      return !is_profiled(number) || (sample && !sample->value.is_finite());
    });
  }
}

}  // namespace gate
