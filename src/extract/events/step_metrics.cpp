#include "extract/events/step_metrics.h"

#include <algorithm>
#include <vector>

namespace gate::extract {

namespace {

// Return the metric that the name stands for; "" where it is no name for one by step.
std::string_view metric_by_step(std::string_view name) {
  if (!name.ends_with(by_step)) return "";
  name.remove_suffix(by_step.size());
  return name;
}

void name_series(std::vector<Series>& all, const MetricTable& metrics) {
  const auto is_printed = [&](const Series& series) {
    return find_series(all, metric_by_step(series.metric()), std::nullopt) != nullptr;
  };
  std::erase_if(all, is_printed);
  for (Series& series : all)
    if (const std::string metric(metric_by_step(series.metric())); !metric.empty())
      series.rename(metric, metrics.get(metric).unit);
  std::ranges::stable_sort(all, {}, [&](const Series& series) { return metrics.place_of(series.metric()); });
}

}  // namespace

void name_step_series(Extraction& extraction, const MetricTable& metrics) {
  name_series(extraction.series, metrics);
  for (Attempt& attempt : extraction.attempts) name_series(attempt.series, metrics);
  for (LackedMetric& lacked : extraction.lacked)
    if (const std::string metric(metric_by_step(lacked.metric)); !metric.empty()) lacked.metric = metric;
}

}  // namespace gate::extract
