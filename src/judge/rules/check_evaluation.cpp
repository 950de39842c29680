#include "judge/rules/check_evaluation.h"

#include <algorithm>

#include "judge/rules/quantum.h"

namespace gate::judge {

namespace {

std::optional<Remark> other_unit(const CheckEvaluation& trial) {
  for (const Series* series : trial.evidence.series)
    for (const ReferenceSeries* reference : trial.target.references) {
      const Series& baseline = reference->runs.front();
      if (!series->unit().empty() && !baseline.unit().empty() && series->unit() != baseline.unit())
        return remark::OtherUnit{series->unit(), baseline.unit()};
      if (series->numbered() != baseline.numbered())
        return remark::OtherNumbering{series->numbered(), baseline.numbered(), ""};
    }
  return std::nullopt;
}

std::optional<Remark> other_ranks(const CheckEvaluation& trial) {
  if (trial.rule().rank == RankMode::each || trial.evidence.beyond_ranks.empty()) return std::nullopt;
  return remark::NotInBaseline{trial.evidence.beyond_ranks, true};
}

std::optional<Remark> conflict(const CheckEvaluation& trial) {
  const std::vector<std::int64_t>& numbers = trial.evidence.conflicts;
  if (numbers.empty()) return std::nullopt;
  return remark::Conflict{remark::Side::run, trial.target.metric.name, StepSet(numbers)};
}

std::optional<Remark> untestable(const CheckEvaluation& trial) {
  const std::vector<const Series*> baseline = baseline_series(trial.target);
  const std::int32_t finest = std::min(finest_exponent(baseline), finest_exponent(trial.evidence.series));
  if (!too_fine(trial.rule(), trial.yardstick, finest)) return std::nullopt;
  return remark::TooCoarse{finest, trial.rule().tolerance};
}

std::optional<Remark> not_in_baseline(const CheckEvaluation& trial) {
  if (!trial.target.open() || !needs_baseline(trial.rule().tolerance)) return std::nullopt;
  return remark::NotInBaseline{trial.target.ranks, false};
}

// Return the further runs that the target is judged by.
std::span<const Extraction* const> further_runs(const Target& target, const JudgeInput& question) {
  const bool speed = target.metric.kind == MetricKind::speed;
  return speed ? question.further : std::span<const Extraction* const>();
}

std::optional<Remark> not_whole(const CheckEvaluation& trial) {
  for (const Extraction* run : further_runs(trial.target, trial.question)) {
    const RunCoverage evidence = examine(trial.target, trial.yardstick, *run);
    if (!evidence.complete() || !evidence.odd.empty() || !evidence.conflicts.empty())
      return remark::Plain::further_run_not_whole;
  }
  return std::nullopt;
}

std::optional<Remark> problem_of(const CheckEvaluation& trial) {
  if (trial.yardstick.problem) return trial.yardstick.problem;
  for (const auto look : {not_in_baseline, other_ranks, conflict, untestable, not_whole, other_unit})
    if (std::optional<Remark> problem = look(trial)) return problem;
  return std::nullopt;
}

// Tell whether the window of constants alone cannot change any more, however long the run might have been.
bool window_settled(const CheckEvaluation& trial) {
  const Window& window = trial.rule().window;
  const std::int64_t high = window.kind == Window::Kind::between ? window.b : window.a;
  switch (window.kind) {
    case Window::Kind::first:
      return static_cast<std::int64_t>(trial.yardstick.window.size()) == window.a;
    case Window::Kind::between:
    case Window::Kind::step:
      return !trial.line.points().empty() && trial.line.points().back().number >= high;
    case Window::Kind::all:
    case Window::Kind::last:
    case Window::Kind::after:
      return false;
  }
  return false;
}

bool certain_already(const CheckEvaluation& trial) {
  const Rule& rule = trial.rule();
  if (rule.window.kind == Window::Kind::last || !trial.comparison.worst) return false;
  if (rule.reduce == Reduce::each) return trial.comparison.failed(rule);
  const Deviation& value = *trial.comparison.worst;
  return (rule.reduce == Reduce::max && all_below(value.limits, value.actual)) ||
         (rule.reduce == Reduce::min && all_above(value.limits, value.actual));
}

// Tell whether constants were held against a series that would have gone on.
bool unsettled(const CheckEvaluation& trial) {
  return trial.target.open() && trial.course.cut_short() && !window_settled(trial) && !certain_already(trial);
}

bool window_full(const CheckEvaluation& trial) {
  const std::vector<std::int64_t>& missing = trial.evidence.missing;
  return trial.evidence.absent.empty() &&
         std::none_of(missing.begin(), missing.end(),
                      [&](std::int64_t number) { return trial.yardstick.in_window(number); });
}

CheckStatus status_of_absent(const CheckEvaluation& trial) {
  const bool cut_off = trial.course.ended_badly && !trial.evidence.passed_over;
  const bool decided = window_full(trial) && !unsettled(trial);
  return cut_off && !decided ? CheckStatus::undecided : CheckStatus::missing;
}

CheckStatus status_of(const CheckEvaluation& trial) {
  if (!trial.evidence.odd.empty()) return CheckStatus::fail;
  if (!trial.problem && trial.comparison.failed(trial.rule()) && !unsettled(trial)) return CheckStatus::fail;
  if (!trial.evidence.complete() || unsettled(trial)) return status_of_absent(trial);
  return !trial.problem ? CheckStatus::pass : CheckStatus::incomparable;
}

bool waiver_holds(const Rule& rule, const std::string& today) {
  return rule.waive && !today.empty() && today <= rule.waive->until;
}

// Return the line of each run; of the first alone where there is a problem.
std::vector<NumericSeries> lines_of(const CheckEvaluation& trial) {
  const RankMode mode = trial.rule().rank;
  std::vector<NumericSeries> lines(1);
  if (trial.evidence.absent.empty()) lines.front() = line_of(trial.evidence.series, mode);
  if (trial.problem) return lines;
  for (const Extraction* run : further_runs(trial.target, trial.question))
    lines.push_back(line_of(series_of(trial.target, *run), mode));
  return lines;
}

ReferenceWindow yardstick_of(const Target& target, const Extraction& run) {
  return target.open() ? open_yardstick(target, series_of(target, run)) : make_yardstick(target);
}

}  // namespace

CheckEvaluation hold(const Target& target, const JudgeInput& question, const Progress& course) {
  CheckEvaluation trial{target, question, course, yardstick_of(target, question.run), {}, {}, {}, {}};
  trial.evidence = examine(target, trial.yardstick, question.run);
  trial.problem = problem_of(trial);
  const std::vector<NumericSeries> runs = lines_of(trial);
  trial.line = mean_line(runs);
  if (!trial.problem) trial.comparison = compare(target, trial.yardstick, runs);
  if (!trial.problem) trial.problem = trial.comparison.problem;
  if (!trial.problem && trial.evidence.complete() && trial.comparison.compared == 0)
    trial.problem = remark::Plain::window_not_filled;
  trial.status = status_of(trial);
  if (trial.status == CheckStatus::fail && waiver_holds(trial.rule(), question.today))
    trial.status = CheckStatus::waived;
  return trial;
}

}  // namespace gate::judge
