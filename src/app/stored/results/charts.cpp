#include "gate/stored/charts.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "gate/base/decompress.h"
#include "gate/base/text.h"
#include "gate/judge/band.h"
#include "gate/model/numbers/step_set.h"
#include "stored/results/chart_view.h"
#include "stored/results/compared.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_steps = 5;
constexpr std::string_view hardware = "device_";
constexpr std::uint32_t lines_before = 4, lines_behind = 4, last_lines = 12;
constexpr std::size_t most_excerpts = 6;
constexpr std::size_t most_bytes = 400;  // of a line

std::optional<double> sample_number(const std::optional<Sample>& sample) {
  if (!sample || !sample->value.is_finite()) return std::nullopt;
  const double value = sample->value.number.to_double();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Everything of one metric.
struct MetricData {
  std::vector<const Series*> run;
  std::vector<const ReferenceSeries*> baseline;
  std::vector<const Check*> checks;

  const Series& any() const { return run.empty() ? baseline.front()->runs.front() : *run.front(); }
};

std::vector<std::int64_t> numbers_shown(const MetricData& data) {
  std::set<std::int64_t> numbers;
  const auto add = [&](const Series& series) {
    for (const Sample& sample : series.samples()) numbers.insert(sample.number);
  };
  for (const Series* series : data.run) add(*series);
  for (const ReferenceSeries* series : data.baseline)
    for (const Series& run : series->runs) add(run);
  return {numbers.begin(), numbers.end()};
}

// Of several recorded runs their mean.
std::optional<double> reference_at(const ReferenceSeries& reference, std::int64_t number) {
  double sum = 0;
  int count = 0;
  for (const Series& run : reference.runs)
    if (const auto value = sample_number(run.find(number))) sum += *value, ++count;
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

void add_curves(Chart& chart, const MetricData& data, const std::vector<std::int64_t>& numbers) {
  for (const ReferenceSeries* reference : data.baseline) {
    const std::optional<int> rank = reference->runs.front().rank();
    Curve curve{curve_name(say({"baseline", "基线"}), rank), CurveRole::baseline, {}, rank};
    for (const std::int64_t number : numbers) curve.values.push_back(reference_at(*reference, number));
    chart.curves.push_back(std::move(curve));
  }
  for (const Series* series : data.run) {
    Curve curve{curve_name(say({"run", "运行"}), series->rank()), CurveRole::run, {}, series->rank()};
    for (const std::int64_t number : numbers) curve.values.push_back(sample_number(series->find(number)));
    chart.curves.push_back(std::move(curve));
  }
}

// With several ranks there is a band for each, and none is drawn.
const Check* bounded_by(const MetricData& data) {
  const bool one = data.baseline.size() <= 1 && data.run.size() <= 1;
  const auto check = std::ranges::find_if(
      data.checks, [](const Check* c) { return !c->tolerance.any_of.empty() && !c->steps.empty(); });
  return one && check != data.checks.end() ? *check : nullptr;
}

std::optional<double> baseline_of(const Check& check, const MetricData& data, std::int64_t number) {
  if (!check.is_each())
    return is_finite(check.baseline) ? std::optional(check.baseline->number.to_double()) : std::nullopt;
  return data.baseline.empty() ? std::nullopt : reference_at(*data.baseline.front(), number);
}

void add_band(Chart& chart, const MetricData& data, const std::vector<std::int64_t>& numbers) {
  const Check* check = bounded_by(data);
  if (check == nullptr || !check->is_each()) return;
  for (const std::int64_t number : numbers) {
    judge::Band band;
    if (check->steps.contains(number))
      band = judge::band_of(check->tolerance, baseline_of(*check, data, number));
    chart.low.push_back(band.low);
    chart.high.push_back(band.high);
  }
}

// What a rule reduced the window to stands over the window.
void add_levels(Chart& chart, const MetricData& data) {
  const Check* check = bounded_by(data);
  if (check == nullptr || check->is_each() || check->is_error()) return;
  const auto add = [&](const Sentence& name, LevelRole role, const std::optional<Value>& value) {
    if (is_finite(value)) chart.levels.push_back({name, role, value->number.to_double()});
  };
  const Sentence reduce = words::reduce_text(*check->reduce), bound = say({"limit", "限值"});
  add(reduce, LevelRole::baseline, check->baseline);
  add(reduce, LevelRole::run, check->actual);
  for (const LimitRange& range : check->limit) {
    add(bound, LevelRole::limit, range.low);
    if (range.high != range.low) add(bound, LevelRole::limit, range.high);
  }
}

std::optional<AxisStretch> judged_stretch(const MetricData& data) {
  std::optional<AxisStretch> judged;
  for (const Check* check : data.checks) {
    if (check->steps.empty()) continue;
    const auto first = static_cast<double>(check->steps.front()),
               last = static_cast<double>(check->steps.back());
    judged = judged ? AxisStretch{std::min(judged->first, first), std::max(judged->last, last)}
                    : AxisStretch{first, last};
  }
  return judged;
}

bool is_red_check(const Check& check) {
  return check.status != CheckStatus::pass && check.status != CheckStatus::waived;
}

// Several rules may look at different stretches of one metric: what is shown is that of the first red check,
// else of the first one.
void keep_one_rule(std::vector<const Check*>& checks) {
  if (checks.empty()) return;
  const auto red = std::ranges::find_if(checks, [](const Check* check) { return is_red_check(*check); });
  const std::string rule = (red == checks.end() ? checks.front() : *red)->rule;
  std::erase_if(checks, [&](const Check* check) { return check->rule != rule; });
}

// The first miss of all ranks, and where a run ended that was to go on.
void add_marks(Chart& chart, const MetricData& data, const CaseReport& report,
               const std::vector<std::int64_t>& numbers) {
  std::optional<std::int64_t> first;
  for (const Check* check : data.checks)
    if (check->first_miss && is_red_check(*check))
      first = std::min(first.value_or(INT64_MAX), check->first_miss->number);
  if (first)
    chart.marks.push_back({static_cast<double>(*first), say({"first miss", "首处超差"}), MarkKind::miss});
  const bool cut = report.outcome && !ended_well(*report.outcome) && data.any().numbered() == Numbering::step;
  if (!cut || report.steps == 0 || numbers.empty() || report.steps >= numbers.back()) return;
  const bool stopped = std::holds_alternative<StoppedEarly>(*report.outcome);
  chart.marks.push_back({static_cast<double>(report.steps),
                         stopped ? say({"stopped early", "提前停止"}) : say({"run ended", "运行结束"}),
                         MarkKind::end});
}

Sentence non_finite_note_of(const MetricData& data) {
  std::vector<std::int64_t> numbers;
  for (const Series* series : data.run)
    for (const Sample& sample : series->samples())
      if (!sample.value.is_finite()) numbers.push_back(sample.number);
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.empty()) return {};
  const std::size_t more = numbers.size() - std::min(numbers.size(), most_named_steps);
  numbers.resize(numbers.size() - more);
  const Sentence note = say({"no finite value at {}", "没有有限值：{}"}, to_string(StepSet(numbers)));
  return more > 0 ? note + say({" and {} more", " 以及另外 {} 处"}, more) : note;
}

Chart chart_of(const MetricData& data, const CaseReport& report) {
  const Series& any = data.any();
  const std::vector<std::int64_t> numbers = numbers_shown(data);
  Chart chart;
  chart.title = any.metric();
  chart.unit = any.unit();
  chart.axis = any.numbered() == Numbering::time   ? as_is("s")
               : any.numbered() == Numbering::step ? say({"step", "步"})
                                                   : say({"report", "打印"});
  chart.x.assign(numbers.begin(), numbers.end());
  add_curves(chart, data, numbers);
  chart.judged = judged_stretch(data);
  add_band(chart, data, numbers);
  add_levels(chart, data);
  add_marks(chart, data, report, numbers);
  chart.note = non_finite_note_of(data);
  chart.red = std::ranges::any_of(data.checks, [](const Check* check) { return is_red_check(*check); });
  chart.checked = !data.checks.empty();
  if (chart.title.starts_with(hardware)) chart.group = "hardware";
  return chart;
}

std::vector<std::optional<double>> subtract_baseline(const std::vector<std::optional<double>>& values,
                                                     const std::vector<std::optional<double>>& baseline) {
  std::vector<std::optional<double>> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back(values[i] && baseline[i] ? std::optional(*values[i] - *baseline[i]) : std::nullopt);
  return out;
}

// A tolerance is often thinner than a line of the chart that it belongs to: the distance from the baseline
// shows it.
std::optional<Chart> distance_of(const Chart& chart, const MetricData& data) {
  const Check* check = bounded_by(data);
  if (check == nullptr || !check->is_each() || chart.curves.size() != 2) return std::nullopt;
  if (chart.curves.front().role != CurveRole::baseline) return std::nullopt;
  const std::vector<std::optional<double>>& baseline = chart.curves.front().values;
  Chart distance = chart;
  const Sentence apart = say({"run - baseline", "运行 - 基线"});
  distance.of = join(std::array{distance.of, apart}, comma);
  distance.curves = {{apart, CurveRole::run, subtract_baseline(chart.curves.back().values, baseline)}};
  distance.low = subtract_baseline(chart.low, baseline);
  distance.high = subtract_baseline(chart.high, baseline);
  distance.note = {};
  return distance;
}

// Beside a chart: how far the run is from the baseline, as the rule looks at it.
std::optional<Chart> apart_of(const Chart& chart, const MetricData& data) {
  auto distance = distance_of(chart, data);
  return distance ? distance : ratio_of(chart);
}

std::vector<std::pair<std::string, MetricData>> data_by_metric(const CaseReport& report,
                                                               const std::vector<Series>& run,
                                                               const Reference& reference,
                                                               const std::string& phase) {
  std::vector<std::pair<std::string, MetricData>> all;
  const auto find_or_add = [&](const std::string& metric) -> MetricData& {
    const auto known = std::ranges::find(all, metric, &std::pair<std::string, MetricData>::first);
    return known != all.end() ? known->second : all.emplace_back(metric, MetricData{}).second;
  };
  for (const Series& series : run)
    if (!series.empty()) find_or_add(series.metric()).run.push_back(&series);
  for (const ReferenceSeries& series : reference.series)
    if (!series.runs.front().empty()) find_or_add(series.runs.front().metric()).baseline.push_back(&series);
  for (const Check& check : report.checks)
    for (auto& [metric, data] : all)
      if (metric == check.metric && check.phase == phase) data.checks.push_back(&check);
  for (auto& [metric, data] : all) keep_one_rule(data.checks);
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
  chart.axis = as_is("s");
  chart.group = "hardware";
  chart.curves = {{say({"run", "运行"}), CurveRole::run, {}}};
  double at = sample_number(startup->find(1)).value_or(0) * ms;
  for (const Sample& sample : step->samples()) {
    const auto duration = sample_number(sample);
    at += duration.value_or(0) * ms;
    if (!chart.x.empty() && at <= chart.x.back()) continue;
    chart.x.push_back(at);
    chart.curves.front().values.push_back(duration);
  }
  return chart;
}

// Call `on_line` with each line and its number, as long as it returns true.
template <typename OnLine>
void each_line(const std::string& file, OnLine on_line) {
  std::uint32_t number = 1;
  std::string line;
  bool wanted = true;
  const auto read = read_unpacked(file, [&](std::string_view block) {
    while (wanted && !block.empty()) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      if (line.size() < most_bytes + 1) line += block.substr(0, std::min(end, most_bytes + 1));
      if (end == block.size()) return;
      wanted = on_line(number++, line);
      line.clear();
      block.remove_prefix(end + 1);
    }
  });
  if (read && wanted && !line.empty()) on_line(number, line);
}

Excerpt excerpt_around(const Sentence& title, const std::string& file, std::uint32_t line) {
  Excerpt excerpt{title, file, line > lines_before ? line - lines_before : 1, line, {}};
  each_line(file, [&](std::uint32_t number, const std::string& text) {
    if (number >= excerpt.first) excerpt.lines.push_back(printable(text, most_bytes));
    return number < line + lines_behind;
  });
  return excerpt;
}

Excerpt excerpt_of_end(const Sentence& title, const std::string& file) {
  std::deque<std::string> lines;
  std::uint32_t last = 0;
  each_line(file, [&](std::uint32_t number, const std::string& text) {
    lines.push_back(text);
    if (lines.size() > last_lines) lines.pop_front();
    last = number;
    return true;
  });
  Excerpt excerpt{title, file, last - static_cast<std::uint32_t>(lines.size()) + 1, 0, {}};
  for (const std::string& text : lines) excerpt.lines.push_back(printable(text, most_bytes));
  return excerpt;
}

}  // namespace

std::vector<Chart> charts_of(const CaseReport& report, const std::vector<Series>& run,
                             const Reference& reference, const std::string& phase) {
  std::vector<Chart> charts;
  bool has_hardware = false;
  for (const auto& [metric, data] : data_by_metric(report, run, reference, phase)) {
    Chart chart = chart_of(data, report);
    if (chart.x.size() < 2 || (!phase.empty() && !chart.checked)) continue;
    if (!phase.empty()) chart.of = say({"phase {}", "阶段 {}"}, phase);
    has_hardware |= !chart.group.empty();
    auto apart = apart_of(chart, data);
    charts.push_back(std::move(chart));
    if (apart) charts.push_back(std::move(*apart));
  }
  if (auto steps = time_per_step(run); has_hardware && steps) charts.push_back(std::move(*steps));
  for (Chart& chart : charts) choose_view(chart);
  std::ranges::stable_sort(charts, {}, [](const Chart& chart) {
    return !chart.group.empty() ? 3 : chart.red ? 0 : chart.checked ? 1 : 2;
  });
  return charts;
}

std::vector<Excerpt> excerpts_of(const CaseReport& report) {
  std::vector<Excerpt> all;
  std::set<std::pair<std::string, std::uint32_t>> seen;
  const auto add = [&](const Sentence& title, const std::string& file, std::uint32_t line) {
    if (file.empty() || line == 0 || all.size() >= most_excerpts || !seen.emplace(file, line).second) return;
    if (Excerpt excerpt = excerpt_around(title, file, line); !excerpt.lines.empty())
      all.push_back(std::move(excerpt));
  };
  if (report.cause)
    add(say({"cause: {}", "原因：{}"}, report.cause->what), report.cause->file, report.cause->line);
  for (const Check& check : report.checks)
    if (check.first_miss && check.status != CheckStatus::pass)
      add(say({"{}: first miss", "{}：首处超差"}, check.metric), check.first_miss->file,
          check.first_miss->line);
  const auto log = report.artifacts.find("log");
  if (!report.outcome || ended_well(*report.outcome) || log == report.artifacts.end()) return all;
  if (Excerpt end = excerpt_of_end(say({"end of the log", "日志末尾"}), log->second); !end.lines.empty())
    all.push_back(std::move(end));
  return all;
}

namespace {

std::set<std::string> phases_in(const CaseReport& report) {
  std::set<std::string> phases;
  for (const Check& check : report.checks)
    if (!check.phase.empty()) phases.insert(check.phase);
  return phases;
}

void add_phase_charts(const Suite& suite, const std::string& phase, CaseReport& report) {
  const Compared compared = what_was_compared(suite, report, phase);
  if (compared.runs.empty()) return;
  std::ranges::move(charts_of(report, compared.runs.front(), compared.reference, phase),
                    std::back_inserter(report.charts));
}

}  // namespace

void add_charts(const Suite& suite, Report& report) {
  for (CaseReport& one : report.cases) {
    Compared compared = what_was_compared(suite, one);
    if (!compared.runs.empty()) one.series = std::move(compared.runs.front());
    one.charts = charts_of(one, one.series, compared.reference);
    one.reference = std::move(compared.reference.series);
    for (const std::string& phase : phases_in(one)) add_phase_charts(suite, phase, one);
    one.excerpts = excerpts_of(one);
  }
}

}  // namespace gate::app
