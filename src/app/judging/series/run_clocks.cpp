#include "gate/judging/run_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace gate::app {

namespace {

const Sentence reason{"measured by gate while a script runs", "由 gate 在脚本运行时测得"};

bool is_clock(const MetricTable& metrics, const std::string& name) {
  const Metric* metric = metrics.find(name);
  return metric != nullptr && metric->measured_by == MeasuredBy::gate;
}

// Tell whether what is judged of that step was printed in that attempt.
bool is_judged(const Extraction& run, const Attempt& attempt, std::int64_t step) {
  return std::ranges::any_of(run.series, [&](const Series& judged) {
    const Series* own = find_series(attempt.series, judged.metric(), judged.rank());
    if (own == nullptr || judged.numbered() != Numbering::step) return false;
    const std::optional<Sample> a = judged.find(step), b = own->find(step);
    return a && b && a->file == b->file && a->line == b->line;
  });
}

// Which attempt a line is of is settled when the log has ended.
bool is_judged(const Extraction& run, const Arrival& arrival) {
  const std::string file = arrival.file < run.files.size() ? run.files[arrival.file] : "";
  bool held = false;
  for (const Attempt& attempt : run.attempts) {
    if (attempt.first_line <= 0 || attempt.file != file) continue;
    if (arrival.line < attempt.first_line || attempt.last_line < arrival.line) continue;
    held = true;
    if (is_judged(run, attempt, arrival.step)) return true;
  }
  return !held && arrival.attempt < run.attempts.size() &&
         is_judged(run, run.attempts[arrival.attempt], arrival.step);
}

Sample clock_sample(std::int64_t number, std::string text) {
  return {number, parse_value(text).value_or(Value{}), std::move(text), 0, 0};
}

Series empty_clock(const MetricTable& metrics, const std::string& name) {
  const Metric metric = metrics.get(name);
  return {name, std::nullopt, metric.unit, metric.numbered};
}

Series step_wall_time(const MetricTable& metrics, const std::vector<Arrival>& arrivals) {
  Series series = empty_clock(metrics, "step_wall_time");
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    const Arrival &before = arrivals[i - 1], &arrival = arrivals[i];
    if (arrival.attempt != before.attempt || arrival.start != before.start) continue;
    const std::int64_t steps = arrival.step - before.step;
    const std::int64_t each = ((arrival.at - before.at).count() + steps / 2) / steps;  // nearest microsecond
    series.append(clock_sample(arrival.step, fmt::format("{}.{:03}", each / 1000, each % 1000)));
  }
  return series;
}

Series one_value(const MetricTable& metrics, const std::string& name, std::optional<std::int64_t> value) {
  Series series = empty_clock(metrics, name);
  if (value) series.append(clock_sample(1, std::to_string(*value)));
  return series;
}

}  // namespace

void add_clock(Extraction& run, const Series& clock, const MetricTable& metrics) {
  if (clock.empty() || !is_clock(metrics, clock.metric())) return;
  if (find_series(run.series, clock.metric(), clock.rank()) != nullptr) return;
  const auto place = [&](const Series& series) { return metrics.place_of(series.metric()); };
  run.series.insert(std::ranges::upper_bound(run.series, place(clock), {}, place), clock);
}

void note_arrival(const LiveSample& live, Elapsed at, std::vector<Arrival>& arrivals, Elapsed start) {
  if (!live.step) return;
  const Arrival* last = arrivals.empty() ? nullptr : &arrivals.back();
  if (last == nullptr || last->attempt != live.attempt || last->step < *live.step)
    arrivals.push_back({live.attempt, *live.step, at, live.sample.file, live.sample.line, start});
}

void add_clocks(Extraction& run, const std::vector<Arrival>& arrivals, std::optional<Duration> script_time,
                const MetricTable& metrics) {
  if (run.series.empty()) return;
  std::vector<Arrival> judged;
  std::ranges::copy_if(arrivals, std::back_inserter(judged),
                       [&](const Arrival& arrival) { return is_judged(run, arrival); });
  std::optional<std::int64_t> startup, whole;
  if (!judged.empty())
    startup = std::chrono::duration_cast<Duration>(judged.front().at - judged.front().start).count();
  if (script_time) whole = script_time->count();
  add_clock(run, step_wall_time(metrics, judged), metrics);
  add_clock(run, one_value(metrics, "startup_time", startup), metrics);
  add_clock(run, one_value(metrics, "wall_time", whole), metrics);
}

void add_recomputed_steps(Extraction& run, const std::vector<Arrival>& arrivals, const MetricTable& metrics) {
  if (arrivals.empty()) return;
  std::set<std::pair<std::uint32_t, std::int64_t>> seen;
  std::set<std::int64_t> again;
  for (const Arrival& arrival : arrivals)
    if (!seen.emplace(arrival.file, arrival.step).second) again.insert(arrival.step);
  add_clock(run, one_value(metrics, "recomputed_steps", std::ssize(again)), metrics);
}

void add_recorded_clocks(Extraction& run, const Baseline& recorded, const MetricTable& metrics) {
  if (recorded.runs.empty()) return;
  for (const Series& series : recorded.runs.front().series) add_clock(run, series, metrics);
}

Baseline without_clocks(Baseline baseline, const MetricTable& metrics) {
  for (BaselineRun& run : baseline.runs)
    std::erase_if(run.series, [&](const Series& series) { return is_clock(metrics, series.metric()); });
  return baseline;
}

std::map<std::string, Sentence> unclocked(const config::Case& spec, const Extraction& run) {
  std::map<std::string, Sentence> lacking;
  for (const Metric& metric : spec.metrics.all())
    if (metric.measured_by == MeasuredBy::gate &&
        std::ranges::find(run.series, metric.name, &Series::metric) == run.series.end())
      lacking.emplace(metric.name, reason);
  for (const judge::Derivation& derivation : spec.derivations)
    for (const judge::Term& term : derivation.formula.terms)
      if (term.kind == judge::Term::Kind::metric && lacking.contains(term.metric))
        lacking.emplace(derivation.metric,
                        say({"it is derived from {}, {}", "它由 {} 计算，而后者{}"}, term.metric, reason));
  return lacking;
}

}  // namespace gate::app
