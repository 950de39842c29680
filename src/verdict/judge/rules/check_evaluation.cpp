#include "judge/rules/check_evaluation.h"

#include <algorithm>
#include <array>

#include "gate/model/numbers/guessed_metric.h"

namespace gate::judge {

namespace {

std::optional<Remark> other_unit(const CheckEvaluation& evaluation) {
  for (const Series* series : evaluation.coverage.series)
    for (const ReferenceSeries* reference : evaluation.target.references) {
      const Series& baseline = reference->runs.front();
      if (!series->unit().empty() && !baseline.unit().empty() && series->unit() != baseline.unit())
        return remark::OtherUnit{series->unit(), baseline.unit()};
      if (series->numbered() != baseline.numbered())
        return remark::OtherNumbering{series->numbered(), baseline.numbered(), ""};
    }
  return std::nullopt;
}

// Tell whether what is called so is a share, of 1 or of 100: more than all there is cannot be right.
bool is_called_share(const Metric& metric) {
  constexpr std::array<std::string_view, 20> shares{
      "acc",   "acc1", "acc5", "accuracy", "auc",  "f1",   "precision", "recall", "map",   "map50",
      "map75", "iou",  "miou", "dice",     "ndcg", "top1", "top5",      "rouge1", "rouge", "em"};
  return metric.kind == MetricKind::accuracy && metric.better == Better::higher && metric.unit.empty() &&
         std::ranges::any_of(name_words(metric.name), [&](const std::string& word) {
           return std::ranges::find(shares, word) != shares.end();
         });
}

// Tell whether a constant bound is a share of 1.
bool bounds_by_share(const Tolerance& tolerance) {
  const auto is_share = [](const Bound& bound) {
    const bool is_lower = bound.kind == Bound::Kind::at_least || bound.kind == Bound::Kind::above;
    return is_lower && Decimal{} < bound.amount && !(Decimal{1, 0} < bound.amount);
  };
  return std::ranges::any_of(tolerance.any_of, [&](const std::vector<Bound>& all_of) {
    return std::ranges::any_of(all_of, is_share);
  });
}

// Tell whether what is called so is a share of errors, and a constant above 1 bounds it: 50 lets every one
// pass.
bool bounds_errors_by_percent(const Metric& metric, const Tolerance& tolerance) {
  constexpr std::array<std::string_view, 3> rates{"ter", "cer", "wer"};
  const bool is_rate = metric.name.ends_with("mean_relative_error") ||
                       std::ranges::any_of(name_words(metric.name), [&](const std::string& word) {
                         return std::ranges::find(rates, word) != rates.end();
                       });
  if (!is_rate || metric.better != Better::lower || !metric.unit.empty()) return false;
  return std::ranges::any_of(tolerance.any_of, [](const std::vector<Bound>& all_of) {
    return std::ranges::any_of(all_of, [](const Bound& bound) {
      const bool is_upper = bound.kind == Bound::Kind::at_most || bound.kind == Bound::Kind::below;
      return is_upper && Decimal{1, 0} < bound.amount;
    });
  });
}

// 90 passes every limit that is made of 0.9. Some models begin below 1 %: what is far from the baseline's
// highest value alone is in another unit.
std::optional<Remark> other_share(const CheckEvaluation& evaluation) {
  constexpr double far = 4;
  const auto highest = [](std::span<const Series* const> all) {
    double most = 0;
    for (const Series* series : all)
      for (const Sample& sample : series->samples())
        if (sample.value.is_finite()) most = std::max(most, sample.value.number.to_double());
    return most;
  };
  const Metric& metric = evaluation.target.metric;
  const double run = highest(evaluation.coverage.series),
               baseline = highest(baseline_series(evaluation.target));
  if (bounds_errors_by_percent(metric, evaluation.rule().tolerance) && run <= 1)
    return remark::Plain::percent_beside_share;
  if (!is_called_share(metric)) return std::nullopt;
  const bool is_other = baseline > 0 && baseline <= 1 && run > far * baseline;
  if (run <= 1 || !(is_other || bounds_by_share(evaluation.rule().tolerance))) return std::nullopt;
  return remark::Plain::percent_beside_share;
}

std::optional<Remark> too_coarse(const CheckEvaluation& evaluation, std::int32_t finest) {
  if (!too_fine(evaluation.rule(), evaluation.reference, finest)) return std::nullopt;
  return remark::TooCoarse{finest, evaluation.rule().tolerance};
}

std::optional<Remark> untestable(const CheckEvaluation& evaluation) {
  const std::int32_t finest = std::min(finest_exponent(baseline_series(evaluation.target)),
                                       finest_exponent(evaluation.coverage.series));
  return too_coarse(evaluation, finest);
}

// What is within the tolerance may be so by rounding alone, where one side prints less than the other. The
// last digit of a few values may be a zero that was not printed; that of several is none. Whole numbers are
// counts, and exact.
std::optional<Remark> untested(const CheckEvaluation& evaluation) {
  constexpr std::size_t several = 5;
  const std::vector<const Series*> baseline = baseline_series(evaluation.target);
  for (const std::span<const Series* const> side :
       {std::span<const Series* const>(baseline),
        std::span<const Series* const>(evaluation.coverage.series)}) {
    const bool is_told = std::ranges::any_of(side, [](const Series* one) { return one->size() >= several; });
    const std::int32_t finest = finest_exponent(side);
    if (auto coarse = is_told && finest < 0 ? too_coarse(evaluation, finest) : std::nullopt) return coarse;
  }
  return std::nullopt;
}

// Determinism costs speed, and changes no number's meaning.
std::optional<Remark> other_switch(const CheckEvaluation& evaluation) {
  const RuleTarget& target = evaluation.target;
  if (target.metric.kind != MetricKind::speed || !needs_baseline(target.rule->tolerance)) return std::nullopt;
  for (const ReferenceSeries* reference : target.references)
    if (auto change = changed_determinism(reference->switches, known_switches(evaluation.run.provenance)))
      return remark::OtherSwitch{std::move(*change)};
  return std::nullopt;
}

// A mean says nothing of what compares values one by one, demands one very value, or a constant.
bool holds_in_each_run(const Rule& rule) {
  return is_side_by_side(rule.reduce) || !needs_baseline(rule.tolerance) ||
         has_bound(rule.tolerance, Bound::Kind::exact);
}

std::optional<Remark> not_whole(const CheckEvaluation& evaluation) {
  for (const Extraction* run : evaluation.together) {
    if (!examine(evaluation.target, evaluation.reference, *run).whole())
      return remark::Plain::further_run_not_whole;
  }
  return std::nullopt;
}

std::optional<Remark> problem_of(const CheckEvaluation& evaluation) {
  const RuleTarget& target = evaluation.target;
  const RunCoverage& coverage = evaluation.coverage;
  if (evaluation.is_profiled_throughout()) return remark::Plain::profiled_throughout;
  if (evaluation.is_thinned() && 2 * std::ssize(evaluation.reference.window) < evaluation.rule().window.a)
    return left_by_profiler(evaluation);
  if (const Sentence& elsewhere = target.rule->measured_elsewhere; !elsewhere.empty())
    return remark::Text{elsewhere};
  if (evaluation.reference.problem) return evaluation.reference.problem;
  if (target.open() && needs_baseline(target.rule->tolerance)) return remark::Plain::rank_not_in_baseline;
  if (target.rule->rank != RankMode::each && !coverage.beyond_ranks.empty())
    return remark::NotInBaseline{coverage.beyond_ranks};
  if (!coverage.conflicts.empty())
    return remark::Conflict{remark::Side::run, target.metric.name, StepSet(coverage.conflicts)};
  for (const auto find : {other_switch, untestable, not_whole, other_unit, other_share})
    if (std::optional<Remark> problem = find(evaluation)) return problem;
  return std::nullopt;
}

// Tell whether the window of constants alone cannot change any more, however long the run might have been.
bool window_settled(const CheckEvaluation& evaluation) {
  const Window& window = evaluation.rule().window;
  const std::int64_t high = window.kind == Window::Kind::between ? window.b : window.a;
  const std::span<const Point> points = evaluation.series.points();
  switch (window.kind) {
    case Window::Kind::first:
      return std::ssize(evaluation.reference.window) == window.a;
    case Window::Kind::between:
    case Window::Kind::step:
      return !points.empty() && points.back().number >= high;
    case Window::Kind::all:
    case Window::Kind::last:
    case Window::Kind::after:
      return false;
  }
  return false;
}

bool certain_already(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  if (rule.window.kind == Window::Kind::last || !evaluation.comparison.worst) return false;
  if (rule.reduce == Reduce::each) return evaluation.comparison.failed(rule);
  const Deviation& value = *evaluation.comparison.worst;
  return (rule.reduce == Reduce::max && all_below(value.limits, value.actual)) ||
         (rule.reduce == Reduce::min && all_above(value.limits, value.actual));
}

// Tell whether constants were held against a series that would have gone on.
bool unsettled(const CheckEvaluation& evaluation) {
  return evaluation.target.open() && evaluation.progress.cut_short() && !window_settled(evaluation) &&
         !certain_already(evaluation);
}

// Tell whether the run ended before it had what the window wants, and no baseline has less. Of the last
// values the first one of the series is none.
bool is_short(const CheckEvaluation& evaluation) {
  const Window& window = evaluation.rule().window;
  const std::vector<std::int64_t>& held = evaluation.reference.window;
  if (!evaluation.target.open() || held.empty() || evaluation.input.reference.last_step) return false;
  switch (window.kind) {
    case Window::Kind::first:
      return std::ssize(held) < window.a;
    case Window::Kind::last:
      return std::ssize(held) + 1 < window.a;
    case Window::Kind::between:
      return !window_settled(evaluation);
    case Window::Kind::all:
    case Window::Kind::after:
    case Window::Kind::step:
      return false;
  }
  return false;
}

bool window_full(const CheckEvaluation& evaluation) {
  return evaluation.coverage.absent.empty() &&
         std::ranges::none_of(evaluation.coverage.missing,
                              [&](std::int64_t number) { return evaluation.reference.in_window(number); });
}

CheckStatus status_of(const CheckEvaluation& evaluation) {
  const RunCoverage& coverage = evaluation.coverage;
  const bool open_end = unsettled(evaluation);
  if (!coverage.non_finite.empty()) return CheckStatus::fail;
  if (!evaluation.problem && evaluation.comparison.failed(evaluation.rule()) && !open_end)
    return CheckStatus::fail;
  if (coverage.complete() && !open_end && (evaluation.problem || !is_short(evaluation)))
    return evaluation.problem ? CheckStatus::incomparable : CheckStatus::pass;
  const bool cut_off = evaluation.progress.ended_badly && !coverage.passed_over;
  const bool decided = window_full(evaluation) && !open_end;
  return cut_off && !decided ? CheckStatus::undecided : CheckStatus::missing;
}

// Return the series of each run; of the first alone where there is a problem.
std::vector<NumericSeries> series_of_runs(const CheckEvaluation& evaluation) {
  const RankMode mode = evaluation.rule().rank;
  std::vector<NumericSeries> all(1);
  if (evaluation.coverage.absent.empty()) all.front() = numeric_series_of(evaluation.coverage.series, mode);
  if (evaluation.problem) return all;
  for (const Extraction* run : evaluation.together)
    all.push_back(numeric_series_of(series_of(evaluation.target, *run), mode));
  return all;
}

CheckEvaluation evaluated(CheckEvaluation evaluation) {
  const RuleTarget& target = evaluation.target;
  evaluation.reference = target.open() ? open_reference_window(target, series_of(target, evaluation.run))
                                       : reference_window_of(target);
  evaluation.coverage = examine(target, evaluation.reference, evaluation.run);
  evaluation.problem = problem_of(evaluation);
  const std::vector<NumericSeries> runs = series_of_runs(evaluation);
  evaluation.series = mean_series(runs);
  if (!evaluation.problem) evaluation.comparison = compare(target, evaluation.reference, runs);
  if (!evaluation.problem) evaluation.problem = evaluation.comparison.problem;
  if (!evaluation.problem && !evaluation.comparison.failed(evaluation.rule()))
    evaluation.problem = untested(evaluation);
  if (!evaluation.problem && evaluation.coverage.complete() && evaluation.comparison.compared == 0)
    evaluation.problem = remark::Plain::window_not_filled;
  evaluation.status = status_of(evaluation);
  const std::optional<Waiver>& waiver = target.rule->waive;
  const std::string& today = evaluation.input.today;
  const bool waived = waiver && !today.empty() && today <= waiver->until;
  if (evaluation.status == CheckStatus::fail && waived) evaluation.status = CheckStatus::waived;
  return evaluation;
}

bool is_worse(const CheckEvaluation& a, const CheckEvaluation& b) {
  using enum CheckStatus;
  constexpr std::array worst_first{fail, missing, undecided, incomparable, waived, pass};
  if (a.status != b.status)
    return std::ranges::find(worst_first, a.status) < std::ranges::find(worst_first, b.status);
  const std::optional<Deviation>&left = a.comparison.worst, &right = b.comparison.worst;
  return left && right &&
         compare(margin_of(left->limits, left->actual), margin_of(right->limits, right->actual)) < 0;
}

// Return the worst evaluation of all runs, of which that of the first is given.
CheckEvaluation worst_of(CheckEvaluation first) {
  const JudgeInput& input = first.input;
  std::vector<CheckEvaluation> all;
  all.push_back(std::move(first));
  for (const Extraction* run : input.further)
    all.push_back(
        evaluated({all.front().target, input, *run, {}, progress_of(input, *run), {}, {}, {}, {}, {}}));
  const auto worst = std::ranges::min_element(all, is_worse);
  worst->of_runs = remark::OfRuns{worst - all.begin() + 1, std::ssize(all)};
  return std::move(*worst);
}

}  // namespace

Progress progress_of(const JudgeInput& input, const Extraction& run) {
  const std::optional<std::int64_t>& total = run.total;
  Progress progress{.reached = last_step_of(run.series),
                    .demanded = input.steps ? input.steps : total,
                    .ended_badly = input.outcome && !ended_well(*input.outcome),
                    .announced = {}};
  progress.came = progress.reached;
  if (input.mode == Mode::series && input.reference.last_step) progress.demanded = input.reference.last_step;
  const std::optional<ShownBar>& bar = run.bar;
  if (bar) progress.came = std::max(progress.reached, bar->step);
  const std::optional<std::int64_t> end = total || !bar ? total : bar->total;
  const bool is_short = end && progress.reached > 0 && progress.came < *end;
  if (is_short && !(input.outcome && was_stopped(*input.outcome))) progress.announced = end;
  return progress;
}

Remark left_by_profiler(const CheckEvaluation& evaluation) {
  return remark::Text{
      say({"{} of the {}, a profiler ran in the others", "{1} 中的 {0} 个，其余的有剖析器在运行"},
          evaluation.reference.window.size(), to_string(evaluation.rule().window))};
}

CheckEvaluation evaluate(const RuleTarget& target, const JudgeInput& input, const Progress& progress) {
  const bool is_each = input.pooling == Pooling::all && holds_in_each_run(*target.rule);
  const bool is_pooled = input.pooling == Pooling::all || target.metric.kind == MetricKind::speed;
  const auto together = is_pooled && !is_each ? input.further : std::span<const Extraction* const>();
  CheckEvaluation first = evaluated({target, input, input.run, together, progress, {}, {}, {}, {}, {}});
  return is_each && !input.further.empty() ? worst_of(std::move(first)) : first;
}

bool is_too_wide(const CheckEvaluation& evaluation) {
  const Tolerance& tolerance = evaluation.rule().tolerance;
  if (!evaluation.against_baseline() || !has_bound(tolerance, Bound::Kind::absolute)) return false;
  const bool may_rise = side_of(tolerance) == Bound::Side::upper;
  const auto is_within = [&](const Number& value) {
    const Number none = number(Decimal{});
    return within(limits_of(tolerance, value), may_rise ? minus(value, minus(none, value)) : none);
  };
  const ReferenceVariant& variant = evaluation.reference.variants.front();
  if (variant.reduced) return is_within(*variant.reduced);
  return std::ranges::all_of(values_at(variant.series, evaluation.reference.window), is_within);
}

}  // namespace gate::judge
