#include "gate/app/charts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/results/explain_values.h"
#include "gate/base/text.h"
#include "gate/judge/band.h"
#include "gate/model/step_set.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_steps = 5;
constexpr std::string_view hardware = "device_";

std::optional<double> sample_number(const std::optional<Sample>& sample) {
  if (!sample || !sample->value.is_finite()) return std::nullopt;
  const double value = sample->value.number.to_double();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Everything of one metric.
struct Subject {
  std::vector<const Series*> run;
  std::vector<const ReferenceSeries*> baseline;
  std::vector<const Check*> checks;

  const Series& any() const { return run.empty() ? baseline.front()->runs.front() : *run.front(); }
};

std::vector<std::int64_t> numbers_shown(const Subject& subject) {
  std::set<std::int64_t> numbers;
  const auto add = [&](const Series& series) {
    for (const Sample& sample : series.samples()) numbers.insert(sample.number);
  };
  for (const Series* series : subject.run) add(*series);
  for (const ReferenceSeries* series : subject.baseline)
    for (const Series& run : series->runs) add(run);
  return {numbers.begin(), numbers.end()};
}

std::string series_label(std::string_view side, const std::optional<int>& rank) {
  return std::string(side) + (rank ? " rank " + std::to_string(*rank) : "");
}

// Of several recorded runs their mean.
std::optional<double> reference_at(const ReferenceSeries& reference, std::int64_t number) {
  double sum = 0;
  int count = 0;
  for (const Series& run : reference.runs)
    if (const auto value = sample_number(run.find(number))) sum += *value, ++count;
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

void add_curves(Chart& chart, const Subject& subject, const std::vector<std::int64_t>& numbers) {
  for (const ReferenceSeries* reference : subject.baseline) {
    Curve curve{series_label("baseline", reference->runs.front().rank()), CurveRole::baseline, {}};
    for (const std::int64_t number : numbers) curve.values.push_back(reference_at(*reference, number));
    chart.curves.push_back(std::move(curve));
  }
  for (const Series* series : subject.run) {
    Curve curve{series_label("run", series->rank()), CurveRole::run, {}};
    for (const std::int64_t number : numbers) curve.values.push_back(sample_number(series->find(number)));
    chart.curves.push_back(std::move(curve));
  }
}

// With several ranks there is a band for each, and none is drawn.
const Check* bounded_by(const Subject& subject) {
  const bool one = subject.baseline.size() <= 1 && subject.run.size() <= 1;
  const auto check = std::ranges::find_if(
      subject.checks, [](const Check* c) { return !c->tolerance.any_of.empty() && !c->steps.empty(); });
  return one && check != subject.checks.end() ? *check : nullptr;
}

std::optional<double> baseline_of(const Check& check, const Subject& subject, std::int64_t number) {
  if (!check.is_each()) {
    const bool finite = is_finite(check.baseline);
    return finite ? std::optional(check.baseline->number.to_double()) : std::nullopt;
  }
  return subject.baseline.empty() ? std::nullopt : reference_at(*subject.baseline.front(), number);
}

void add_band(Chart& chart, const Subject& subject, const std::vector<std::int64_t>& numbers) {
  const Check* check = bounded_by(subject);
  if (check == nullptr) return;
  for (const std::int64_t number : numbers) {
    judge::Band band;
    if (check->steps.contains(number))
      band = judge::band_of(check->tolerance, baseline_of(*check, subject, number));
    chart.low.push_back(band.low);
    chart.high.push_back(band.high);
  }
}

bool is_red_check(const Check& check) {
  return check.status != CheckStatus::pass && check.status != CheckStatus::waived;
}

// The first miss of all ranks, and where a run ended that was to go on.
void add_marks(Chart& chart, const Subject& subject, const CaseReport& report,
               const std::vector<std::int64_t>& numbers) {
  std::optional<std::int64_t> first;
  for (const Check* check : subject.checks)
    if (check->first_miss && is_red_check(*check))
      first = std::min(first.value_or(INT64_MAX), check->first_miss->number);
  if (first) chart.marks.push_back({static_cast<double>(*first), "first miss", MarkKind::miss});
  const bool cut = report.outcome && !ended_well(*report.outcome) && chart.axis == "step";
  if (!cut || report.steps == 0 || numbers.empty() || report.steps >= numbers.back()) return;
  const bool stopped = std::holds_alternative<StoppedEarly>(*report.outcome);
  chart.marks.push_back(
      {static_cast<double>(report.steps), stopped ? "stopped early" : "run ended", MarkKind::end});
}

std::string odd_words_of_subject(const Subject& subject) {
  std::vector<std::int64_t> numbers;
  for (const Series* series : subject.run)
    for (const Sample& sample : series->samples())
      if (!sample.value.is_finite()) numbers.push_back(sample.number);
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.empty()) return "";
  const std::size_t more = numbers.size() - std::min(numbers.size(), most_named_steps);
  numbers.resize(numbers.size() - more);
  return "no finite value at " + to_string(StepSet(numbers)) +
         (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

Chart chart_of(const Subject& subject, const CaseReport& report) {
  const Series& any = subject.any();
  const std::vector<std::int64_t> numbers = numbers_shown(subject);
  Chart chart;
  chart.title = any.metric();
  chart.unit = any.unit();
  chart.axis = any.numbered() == Numbering::time ? "s" : to_string(any.numbered());
  chart.x.assign(numbers.begin(), numbers.end());
  add_curves(chart, subject, numbers);
  add_band(chart, subject, numbers);
  add_marks(chart, subject, report, numbers);
  chart.note = odd_words_of_subject(subject);
  chart.red = std::ranges::any_of(subject.checks, [](const Check* check) { return is_red_check(*check); });
  chart.checked = !subject.checks.empty();
  if (chart.title.starts_with(hardware)) chart.group = "hardware";
  return chart;
}

std::vector<std::optional<double>> less(const std::vector<std::optional<double>>& values,
                                        const std::vector<std::optional<double>>& baseline) {
  std::vector<std::optional<double>> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back(values[i] && baseline[i] ? std::optional(*values[i] - *baseline[i]) : std::nullopt);
  return out;
}

// A tolerance is often thinner than a line of the chart that it belongs to: the distance from the baseline
// shows it.
std::optional<Chart> distance_of(const Chart& chart, const Subject& subject) {
  const Check* check = bounded_by(subject);
  const bool each = check != nullptr && check->is_each();
  if (!each || chart.curves.size() != 2) return std::nullopt;
  const std::vector<std::optional<double>>& baseline = chart.curves.front().values;
  Chart distance = chart;
  distance.title += ", run - baseline";
  distance.curves = {{"run - baseline", CurveRole::run, less(chart.curves.back().values, baseline)}};
  distance.low = less(chart.low, baseline);
  distance.high = less(chart.high, baseline);
  distance.note.clear();
  return distance;
}

std::vector<std::pair<std::string, Subject>> subjects_of(const CaseReport& report,
                                                         const std::vector<Series>& run,
                                                         const Reference& reference) {
  std::vector<std::pair<std::string, Subject>> all;
  const auto of = [&](const std::string& metric) -> Subject& {
    const auto known = std::ranges::find(all, metric, &std::pair<std::string, Subject>::first);
    return known != all.end() ? known->second : all.emplace_back(metric, Subject{}).second;
  };
  for (const Series& series : run)
    if (!series.empty()) of(series.metric()).run.push_back(&series);
  for (const ReferenceSeries& series : reference.series)
    if (!series.runs.front().empty()) of(series.runs.front().metric()).baseline.push_back(&series);
  for (const Check& check : report.checks)
    for (auto& [metric, subject] : all)
      if (metric == check.metric) subject.checks.push_back(&check);
  return all;
}

// When the steps came: the first one after the start-up, each other one its time after the one before.
std::optional<Chart> time_per_step(const std::vector<Series>& run) {
  const Series* startup = find_series(run, "startup_time", {});
  const Series* step = find_series(run, "step_wall_time", {});
  if (startup == nullptr || step == nullptr || startup->empty()) return std::nullopt;
  constexpr double ms = 1e-3;
  Chart chart;
  chart.title = "step_wall_time";
  chart.unit = step->unit();
  chart.axis = "s";
  chart.group = "hardware";
  chart.curves = {{"run", CurveRole::run, {}}};
  double at = sample_number(startup->find(1)).value_or(0) * ms;
  for (const Sample& sample : step->samples()) {
    const auto took = sample_number(sample);
    at += took.value_or(0) * ms;
    if (!chart.x.empty() && at <= chart.x.back()) continue;
    chart.x.push_back(at);
    chart.curves.front().values.push_back(took);
  }
  return chart;
}

int chart_order(const Chart& chart) {
  if (!chart.group.empty()) return 3;
  return chart.red ? 0 : chart.checked ? 1 : 2;
}

}  // namespace

std::vector<Chart> charts_of(const CaseReport& report, const std::vector<Series>& run,
                             const Reference& reference) {
  std::vector<Chart> charts;
  bool has_hardware = false;
  for (const auto& [metric, subject] : subjects_of(report, run, reference)) {
    Chart chart = chart_of(subject, report);
    if (chart.x.size() < 2) continue;
    has_hardware |= !chart.group.empty();
    auto distance = distance_of(chart, subject);
    charts.push_back(std::move(chart));
    if (distance) charts.push_back(std::move(*distance));
  }
  if (auto steps = time_per_step(run); has_hardware && steps) charts.push_back(std::move(*steps));
  std::ranges::stable_sort(charts, {}, chart_order);
  return charts;
}

void add_charts(const Suite& suite, Report& report) {
  for (CaseReport& one : report.cases) {
    Compared compared = what_was_compared(suite, one);
    if (!compared.runs.empty()) one.series = std::move(compared.runs.front());
    one.charts = charts_of(one, one.series, compared.reference);
    one.reference = std::move(compared.reference.series);
    one.excerpts = excerpts_of(one);
  }
}

}  // namespace gate::app
