#include "judging/cases/bound_performance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gate/config/training.h"

namespace gate::app {

namespace {

constexpr std::array<std::string_view, 4> speeds_of_tables{
    "tokens_per_second_per_device", "tokens_per_second", "samples_per_second", "throughput"};
constexpr std::int64_t speed_window = 10;  // of the built-in rules

// The mean of the last samples, of all ranks; nothing where one of them is no number.
std::optional<Decimal> mean_of_last(const Extraction& run, std::string_view metric) {
  double sum = 0;
  std::int64_t count = 0;
  for (const Series& series : run.series) {
    if (series.metric() != metric) continue;
    std::int64_t left = std::ssize(series.samples());
    for (const auto& sample : series.samples()) {
      if (left-- > speed_window) continue;
      if (!sample.value.is_finite()) return std::nullopt;
      sum += sample.value.number.to_double();
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return Decimal::parse(fmt::format("{:.6g}", sum / static_cast<double>(count)));
}

// What the rule on the metric reduced its window to, else that mean.
std::optional<Decimal> figure_of(const Extraction& run, const CaseReport& report, std::string_view metric) {
  for (const Check& check : report.checks)
    if (check.metric == metric && !check.is_each() && !check.is_error() && is_finite(check.actual) &&
        !check.rank)
      return check.actual->number;
  return mean_of_last(run, metric);
}

void add_figure(CasePerformance& performance, const config::Case& spec, const Extraction& run,
                const CaseReport& report, std::string_view metric) {
  const std::optional<Decimal> value = figure_of(run, report, metric);
  if (!value || !is_published_speed(*value)) return;
  const auto series = std::ranges::find(run.series, metric, &Series::metric);
  const std::string unit = series == run.series.end() ? spec.metrics.get(metric).unit : series->unit();
  SpeedFigure figure{std::string(metric), unit, *value};
  const auto derived = std::ranges::find(spec.derivations, metric, &judge::Derivation::metric);
  if (derived != spec.derivations.end()) figure.formula = derived->formula.text;
  performance.figures.push_back(std::move(figure));
}

// What the case does not tell the reference does: the case is bound to it for being the same training.
void complete(TrainingShape& shape, const TrainingShape& published) {
  for (auto member : {&TrainingShape::model, &TrainingShape::parameters, &TrainingShape::sequence,
                      &TrainingShape::implementation, &TrainingShape::cluster, &TrainingShape::precision})
    if ((shape.*member).empty()) shape.*member = published.*member;
}

}  // namespace

std::optional<CasePerformance> performance_of(const config::Case& spec, const Extraction& run,
                                              const CaseReport& report) {
  CasePerformance performance{config::training_shape(spec, report.platform)};
  performance.reference = spec.reference;
  if (spec.reference) complete(performance.shape, spec.reference->shape);
  const TrainingShape& shape = performance.shape;
  if (shape.model.empty() && shape.sequence.empty() && shape.implementation.empty()) return std::nullopt;
  const auto against =
      std::ranges::find_if(spec.rules, [](const Rule& rule) { return !rule.published.empty(); });
  if (against != spec.rules.end()) add_figure(performance, spec, run, report, against->metric);
  const auto measured = std::ranges::find_if(speeds_of_tables, [&](std::string_view metric) {
    return std::ranges::find(run.series, metric, &Series::metric) != run.series.end();
  });
  if (against == spec.rules.end() && measured != speeds_of_tables.end())
    add_figure(performance, spec, run, report, *measured);
  if (!performance.figures.empty()) add_figure(performance, spec, run, report, "mfu");
  return performance;
}

}  // namespace gate::app
