#include "gate/stored/charts.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "gate/base/decompress.h"
#include "gate/base/text.h"
#include "gate/judge/band.h"
#include "gate/model/numbers/step_set.h"
#include "gate/words/remarks.h"
#include "stored/results/chart_view.h"
#include "stored/results/compared.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_steps = 5;
constexpr std::string_view hardware = "device_";
constexpr std::uint32_t lines_before = 4, lines_behind = 4, last_lines = 12;
constexpr std::size_t most_excerpts = 6;
constexpr std::size_t most_bytes = 2'000;  // of a line

std::optional<double> number_of(const Value& value) {
  if (!value.is_finite()) return std::nullopt;
  const double number = value.number.to_double();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// Everything of one metric.
struct MetricData {
  std::vector<const Series*> run;
  std::vector<const ReferenceSeries*> baseline;
  std::vector<const Check*> checks;

  const Series& any() const { return run.empty() ? baseline.front()->runs.front() : *run.front(); }
};

std::vector<std::int64_t> numbers_shown(const MetricData& data) {
  std::vector<std::int64_t> all;
  const auto add = [&](const Series& series) {
    const std::vector<std::int64_t> numbers = series.samples().numbers();
    if (numbers == all) return;
    std::vector<std::int64_t> both;
    std::ranges::set_union(all, numbers, std::back_inserter(both));
    all = std::move(both);
  };
  for (const Series* series : data.run) add(*series);
  for (const ReferenceSeries* series : data.baseline)
    for (const Series& run : series->runs) add(run);
  return all;
}

using CurveValues = std::vector<std::optional<double>>;

// The values of the series at the numbers, all its own among them.
CurveValues curve_values(const std::vector<std::int64_t>& numbers, const Series& series) {
  CurveValues values(numbers.size());
  auto at = numbers.begin();
  const auto end = series.samples().end();
  for (auto it = series.samples().begin(); it != end; ++it) {
    if (*at != it.number()) at = std::lower_bound(at, numbers.end(), it.number());
    values[static_cast<std::size_t>(at++ - numbers.begin())] = number_of(it.view().value);
  }
  return values;
}

// Of several recorded runs their mean.
CurveValues curve_values(const std::vector<std::int64_t>& numbers, const ReferenceSeries& reference) {
  CurveValues sums = curve_values(numbers, reference.runs.front());
  if (reference.runs.size() == 1) return sums;
  std::vector<int> counts;
  for (const auto& value : sums) counts.push_back(value ? 1 : 0);
  for (std::size_t run = 1; run < reference.runs.size(); ++run) {
    const CurveValues values = curve_values(numbers, reference.runs[run]);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i]) sums[i] = sums[i].value_or(0) + *values[i], ++counts[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i]) *sums[i] /= counts[i];
  return sums;
}

void add_curves(Chart& chart, const MetricData& data, const std::vector<std::int64_t>& numbers) {
  for (const ReferenceSeries* reference : data.baseline) {
    const std::optional<int> rank = reference->runs.front().rank();
    chart.curves.push_back({curve_name(say({"baseline", "基线"}), rank), CurveRole::baseline,
                            curve_values(numbers, *reference), rank});
  }
  for (const Series* series : data.run)
    chart.curves.push_back({curve_name(say({"run", "运行"}), series->rank()), CurveRole::run,
                            curve_values(numbers, *series), series->rank()});
}

// With several ranks there is a band for each, and none is drawn.
const Check* bounded_by(const MetricData& data) {
  const bool one = data.baseline.size() <= 1 && data.run.size() <= 1;
  const auto check = std::ranges::find_if(
      data.checks, [](const Check* c) { return !c->tolerance.any_of.empty() && !c->steps.empty(); });
  return one && check != data.checks.end() ? *check : nullptr;
}

void add_band(Chart& chart, const MetricData& data, const std::vector<std::int64_t>& numbers) {
  const Check* check = bounded_by(data);
  if (check == nullptr || !check->is_each()) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto baseline = data.baseline.empty() ? std::nullopt : chart.curves.front().values[i];
    judge::Band band;
    if (check->steps.contains(numbers[i])) band = judge::band_of(check->tolerance, baseline);
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

bool is_red_check(const Check& check) { return !lets_pass(check.status); }

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

// Runs are the last curves of their chart.
Sentence non_finite_note_of(const MetricData& data, const Chart& chart,
                            const std::vector<std::int64_t>& shown) {
  std::vector<std::int64_t> numbers;
  for (std::size_t k = 0; k < data.run.size(); ++k) {
    const CurveValues& values = chart.curves[data.baseline.size() + k].values;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!values[i] && data.run[k]->find(shown[i])) numbers.push_back(shown[i]);
  }
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
  chart.note = non_finite_note_of(data, chart, numbers);
  chart.red = std::ranges::any_of(data.checks, [](const Check* check) { return is_red_check(*check); });
  chart.checked = !data.checks.empty();
  if (chart.title.starts_with(hardware)) chart.group = "hardware";
  return chart;
}

CurveValues subtract_baseline(const CurveValues& values, const CurveValues& baseline) {
  CurveValues out;
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
  const CurveValues& baseline = chart.curves.front().values;
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

// Red charts in the order of their checks, those that have failed before those that are undecided.
void put_red_first(std::vector<Chart>& charts, const CaseReport& report) {
  std::ranges::stable_sort(charts, {}, [&](const Chart& chart) {
    const auto place_of = [&](auto counts) {
      return std::ranges::find_if(
                 report.checks,
                 [&](const Check& check) { return check.metric == chart.title && counts(check); }) -
             report.checks.begin();
    };
    const int shelf = chart.red ? 0 : !chart.group.empty() ? 3 : chart.checked ? 1 : 2;
    if (shelf > 0) return std::tuple(shelf, std::ptrdiff_t{0}, std::ptrdiff_t{0});
    return std::tuple(shelf, place_of([](const Check& check) { return check.status == CheckStatus::fail; }),
                      place_of(is_red_check));
  });
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
  const std::optional<Sample> first = startup->find(1);
  double at = first ? number_of(first->value).value_or(0) * ms : 0;
  for (auto it = step->samples().begin(); it != step->samples().end(); ++it) {
    const auto duration = number_of(it.view().value);
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
  put_red_first(charts, report);
  return charts;
}

std::vector<Excerpt> excerpts_of(const CaseReport& report) {
  std::vector<Excerpt> all;
  std::set<std::pair<std::string, std::uint32_t>> seen;
  const auto add = [&](const Sentence& title, const std::string& file, std::uint32_t line,
                       const std::optional<Value>& value = {}) {
    if (file.empty() || line == 0 || all.size() >= most_excerpts || !seen.emplace(file, line).second) return;
    Excerpt excerpt = excerpt_around(title, file, line);
    if (excerpt.lines.empty()) return;
    excerpt.value = value;
    all.push_back(std::move(excerpt));
  };
  if (report.cause)
    add(say({"cause: {}", "原因：{}"}, report.cause->what), report.cause->file, report.cause->line);
  for (const Check& check : report.checks)
    if (check.first_miss && check.status != CheckStatus::pass)
      add(say({"{}: first miss", "{}：首处超差"}, check.metric), check.first_miss->file,
          check.first_miss->line, check.first_miss->actual);
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

void add_phase_charts(const Suite& suite, const CaseReport& report, const std::string& phase,
                      std::vector<Chart>& charts) {
  const Compared compared = what_was_compared(suite, report, phase);
  if (compared.runs.empty()) return;
  std::ranges::move(charts_of(report, compared.runs.front(), compared.reference, phase),
                    std::back_inserter(charts));
}

}  // namespace

std::function<CaseDetails(const CaseReport&)> details_in(const Suite& suite) {
  return [suite = std::make_shared<const Suite>(suite)](const CaseReport& report) {
    CaseDetails details;
    Compared compared = what_was_compared(*suite, report);
    if (!compared.runs.empty()) details.series = std::move(compared.runs.front());
    details.charts = charts_of(report, details.series, compared.reference);
    details.reference = std::move(compared.reference.series);
    for (const std::string& phase : phases_in(report))
      add_phase_charts(*suite, report, phase, details.charts);
    put_red_first(details.charts, report);
    details.excerpts = excerpts_of(report);
    return details;
  };
}

}  // namespace gate::app
