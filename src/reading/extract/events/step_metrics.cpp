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

// `memory_allocated by step` is no name that anybody could write.
void name_metrics_in(std::string& text, const MetricTable& metrics) {
  for (std::size_t at = 0; (at = text.find(by_step, at)) != std::string::npos;) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const bool is_name = std::ranges::any_of(metrics.all(), [&](const Metric& metric) {
      return metric.numbered == Numbering::report && before.ends_with(metric.name);
    });
    if (is_name)
      text.erase(at, by_step.size());
    else
      ++at;
  }
}

}  // namespace

void add_metrics_by_step(MetricTable& metrics) {
  std::vector<Metric> by_report;
  for (const Metric& metric : metrics.all())
    if (metric.numbered == Numbering::report && metrics.find(metric.name + std::string(by_step)) == nullptr)
      by_report.push_back(metric);
  for (Metric& metric : by_report) {
    metric.name += by_step;
    metric.numbered = Numbering::step;
    metrics.put(std::move(metric));
  }
}

void name_step_series(Extraction& extraction, const MetricTable& metrics) {
  name_series(extraction.series, metrics);
  for (Attempt& attempt : extraction.attempts) name_series(attempt.series, metrics);
  const auto named = [&](std::string text) {
    name_metrics_in(text, metrics);
    return text;
  };
  for (Problem& problem : extraction.problems) problem.text = problem.text.with(named);
  for (LackedMetric& lacked : extraction.lacked)
    if (const std::string metric(metric_by_step(lacked.metric)); !metric.empty()) lacked.metric = metric;
}

}  // namespace gate::extract
