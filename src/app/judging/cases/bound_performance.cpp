#include "judging/cases/bound_performance.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "gate/suite/published.h"

namespace gate::app {

namespace {

constexpr std::int64_t speed_window = 10;  // of the built-in rules

// The mean of the last samples, or the largest of all, of all ranks; nothing where one of them is no number.
std::optional<Decimal> figure_of(const Extraction& run, const PrintedMetric& printed) {
  const std::int64_t window = printed.figure == FigureOf::last ? 1
                              : printed.figure == FigureOf::last_ten
                                  ? speed_window
                                  : std::numeric_limits<std::int64_t>::max();
  std::vector<double> values;
  for (const Series& series : run.series) {
    if (series.metric() != printed.metric) continue;
    std::int64_t left = std::ssize(series.samples());
    for (const auto& sample : series.samples()) {
      if (left-- > window) continue;
      if (!sample.value.is_finite()) return std::nullopt;
      values.push_back(sample.value.number.to_double());
    }
  }
  if (values.empty()) return std::nullopt;
  const double figure =
      printed.figure == FigureOf::most
          ? std::ranges::max(values)
          : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return Decimal::parse(fmt::format("{:.6g}", figure));
}

std::optional<Decimal> judged_figure(const CaseReport& report, std::string_view metric) {
  for (const Check& check : report.checks)
    if (check.metric == metric && !check.is_each() && !check.is_error() && is_finite(check.actual) &&
        !check.rank)
      return check.actual->number;
  return std::nullopt;
}

void add_figure(CasePerformance& performance, const config::Case& spec, const Extraction& run,
                const CaseReport& report, const PrintedMetric& printed) {
  const std::string_view metric = printed.metric;
  std::optional<Decimal> value = judged_figure(report, metric);
  if (!value) value = figure_of(run, printed);
  if (!value || !is_published_speed(*value)) return;
  const auto series = std::ranges::find(run.series, metric, &Series::metric);
  const std::string unit = series == run.series.end() ? spec.metrics.get(metric).unit : series->unit();
  PrintedFigure figure{std::string(metric), unit, *value};
  const auto derived = std::ranges::find(spec.derivations, metric, &judge::Derivation::metric);
  if (derived != spec.derivations.end()) figure.formula = derived->formula.text;
  performance.figures.push_back(std::move(figure));
}

}  // namespace

std::optional<CasePerformance> performance_of(const config::Case& spec, const Extraction& run,
                                              const CaseReport& report) {
  std::optional<CasePerformance> performance = published_training(spec, report.platform);
  if (!performance) return performance;
  const auto has_metric = [&](std::string_view metric) {
    return std::ranges::find(run.series, metric, &Series::metric) != run.series.end();
  };
  for (const PrintedMetric& printed : printed_metrics(published_metric(spec), has_metric))
    if (printed.kind == PrintedMetric::Kind::speed || !performance->figures.empty())
      add_figure(*performance, spec, run, report, printed);
  return performance;
}

}  // namespace gate::app
