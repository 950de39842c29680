#include "judge/rules/check_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gate::judge {

namespace {

// For a trend nine digits are plenty, and a sum of doubles is.
std::optional<double> nine_digits(double sum, std::int64_t count) {
  const double mean = count == 0 ? NAN : sum / static_cast<double>(count);
  if (!std::isfinite(mean)) return std::nullopt;
  return std::strtod(fmt::format("{:.9g}", mean).c_str(), nullptr);
}

std::vector<double> run_less_baseline(const NumericSeries& run, const NumericSeries& baseline) {
  std::vector<double> all;
  for (const Point& point : run.points())
    if (const Point* other = baseline.find(point.number))
      if (const double apart = to_double(point.value) - to_double(other->value); std::isfinite(apart))
        all.push_back(apart);
  return all;
}

// The level of a window whose values are compared each for itself, which is what a trend over runs is made
// of: means of the values that stand side by side at the window's numbers; none where nothing was compared,
// with a reduce, which has values of its own, and of the baseline's side where there is none.
struct WindowLevel {
  std::optional<double> run;
  std::optional<double> baseline;
};

WindowLevel level_of(const CheckEvaluation& evaluation) {
  if (evaluation.rule().reduce != Reduce::each || evaluation.comparison.compared == 0) return {};
  const NumericSeries* reference =
      evaluation.reference.variants.empty() ? nullptr : &evaluation.reference.variants.front().series;
  double run = 0, baseline = 0;
  std::int64_t values = 0, beside = 0;
  for (const std::int64_t number : evaluation.reference.window) {
    const Point* point = evaluation.series.find(number);
    if (point == nullptr) continue;
    run += to_double(point->value);
    ++values;
    const Point* other = reference == nullptr ? nullptr : reference->find(number);
    if (other == nullptr) continue;
    baseline += to_double(other->value);
    ++beside;
  }
  return {nine_digits(run, values), nine_digits(baseline, beside)};
}

// Return the run's value less the baseline's at each number that both have, in the window or not; of more
// than 48 numbers as many stretches, each with its largest difference. Empty where no baseline is compared.
std::vector<double> trace_of(const CheckEvaluation& evaluation) {
  constexpr std::size_t most = 48;
  if (evaluation.reference.variants.empty()) return {};
  const std::vector<double> all =
      run_less_baseline(evaluation.series, evaluation.reference.variants.front().series);
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  std::vector<double> trace;
  const std::size_t stretches = std::min(most, all.size());
  for (std::size_t k = 0; k < stretches; ++k)
    trace.push_back(*std::max_element(&all[k * all.size() / stretches],
                                      all.data() + (k + 1) * all.size() / stretches, smaller));
  return trace;
}

// Return by which number the run's values are the baseline's, if it is the same wherever both have one.
std::optional<double> same_ratio(const NumericSeries& run, const NumericSeries& baseline) {
  constexpr std::size_t fewest = 3;
  constexpr double rounding = 5e-4, least = 1e-3;  // the first of what is printed
  std::vector<double> ratios;
  for (const Point& point : run.points())
    if (const Point* other = baseline.find(point.number)) {
      ratios.push_back(to_double(point.value) / to_double(other->value));
      if (!std::isfinite(ratios.back())) return std::nullopt;
    }
  if (ratios.size() < fewest) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(ratios);
  const double ratio = (low + high) / 2;
  const bool is_same = high - low <= 2 * rounding * std::abs(ratio) && std::abs(ratio - 1) >= least;
  return is_same ? std::optional(ratio) : std::nullopt;
}

std::string file_name(const CheckEvaluation& evaluation, std::uint32_t file) {
  const std::vector<std::string>& files = evaluation.run.files;
  return file < files.size() ? files[file] : "";
}

Miss miss_of(const CheckEvaluation& evaluation, const Deviation& deviation) {
  Miss miss{.number = deviation.number,
            .baseline = value_of(deviation.baseline),
            .actual = value_of(deviation.actual),
            .delta = {},
            .line = deviation.line};
  if (deviation.baseline) {
    const Number delta = minus(deviation.actual, *deviation.baseline);
    miss.delta = value_of(delta);
    miss.delta_percent = percent_of(delta, *deviation.baseline);
  }
  if (deviation.line > 0) miss.file = file_name(evaluation, deviation.file);
  return miss;
}

Miss miss_of(const CheckEvaluation& evaluation, const NonFiniteValue& non_finite) {
  Miss miss{.number = non_finite.sample.number,
            .baseline = {},
            .actual = non_finite.sample.value,
            .delta = {},
            .line = non_finite.sample.line};
  if (non_finite.sample.line > 0) miss.file = file_name(evaluation, non_finite.sample.file);
  if (evaluation.reference.variants.empty()) return miss;
  if (const Point* point = evaluation.reference.variants.front().series.find(non_finite.sample.number))
    miss.baseline = value_of(point->value);
  return miss;
}

bool is_error(const CheckEvaluation& evaluation) {
  return evaluation.rule().reduce == Reduce::mean_relative_error;
}

Check frame_of(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  Check check;
  check.rule = rule.name;
  check.metric = evaluation.target.metric.name;
  check.kind = evaluation.target.metric.kind;
  check.better = is_error(evaluation) ? Better::lower : evaluation.target.metric.better;
  if (evaluation.target.ranks.size() == 1) check.rank = evaluation.target.ranks.front();
  check.numbered = evaluation.reference.numbered;
  check.unit = is_error(evaluation) ? "%" : evaluation.target.metric.unit;
  check.window = rule.window;
  check.steps = StepSet(evaluation.reference.window);
  check.demanded = StepSet(evaluation.reference.required);
  check.unrecorded = StepSet(evaluation.reference.unrecorded);
  check.reduce = rule.reduce;
  check.tolerance = rule.tolerance;
  check.status = evaluation.status;
  if (!evaluation.target.open()) check.baseline_file = evaluation.target.references.front()->path;
  return check;
}

// Of an error, which has 28 decimals, six digits.
Value shown_error(const Number& error) {
  return parse_value(fmt::format("{:.6g}", to_double(error))).value_or(Value{});
}

void fill_values(Check& check, const Deviation& worst) {
  const auto shown = [&](const Number& value) {
    return check.is_error() ? shown_error(value) : value_of(value);
  };
  check.actual = shown(worst.actual);
  check.limit = ranges_of(worst.limits);
  check.margin = shown(margin_of(worst.limits, worst.actual));
  if (!worst.baseline) return;
  const Number delta = minus(worst.actual, *worst.baseline);
  check.baseline = value_of(worst.baseline);
  check.delta = value_of(delta);
  check.delta_percent = percent_of(delta, *worst.baseline);
}

// A window that is not full has no value of its own yet; what it would be held against is known.
void fill_limit(Check& check, const CheckEvaluation& evaluation) {
  if (evaluation.reference.variants.empty() || evaluation.rule().reduce == Reduce::each) return;
  const std::optional<Number>& reduced = evaluation.reference.variants.front().reduced;
  if (!reduced) return;
  check.baseline = value_of(reduced);
  check.limit = ranges_of(limits_of(evaluation.rule().tolerance, reduced));
}

void fill_misses(Check& check, const CheckEvaluation& evaluation) {
  const WindowComparison& comparison = evaluation.comparison;
  const std::vector<NonFiniteValue>& non_finite = evaluation.coverage.non_finite;
  check.misses = comparison.misses + static_cast<std::int64_t>(non_finite.size());
  if (comparison.first) check.first_miss = miss_of(evaluation, *comparison.first);
  if (!non_finite.empty()) check.first_miss = miss_of(evaluation, non_finite.front());  // it weighs most
  if (comparison.worst && evaluation.rule().reduce == Reduce::each)
    check.largest = miss_of(evaluation, *comparison.worst);
}

// Constants alone say what is wanted.
Remark short_window(const CheckEvaluation& evaluation) {
  const Window& window = evaluation.rule().window;
  const std::string name = to_string(window);
  if (window.kind == Window::Kind::between)
    return remark::Text{say({"the run ends within the window \"{}\"", "运行在窗口 \"{}\" 之内结束"}, name)};
  return remark::Text{say({"the window \"{}\" holds {} of {} values", "窗口 \"{}\" 有 {} 个值，应有 {} 个"},
                          name, evaluation.reference.window.size(), window.a)};
}

Remark lacking_of(const CheckEvaluation& evaluation) {
  if (evaluation.is_profiled_throughout()) return remark::Plain::profiled_throughout;
  const RunCoverage& coverage = evaluation.coverage;
  if (!coverage.absent.empty() || coverage.series.empty())
    return remark::NotInRun{evaluation.target.ranks.size() > 1 ? coverage.absent : Ranks{}};
  if (coverage.missing.empty())
    return evaluation.progress.cut_short() ? remark::Plain::window_unsettled : short_window(evaluation);
  return remark::MissingSteps{StepSet(coverage.missing), evaluation.reference.required.back()};
}

// Why the check is not passed.
void add_reasons(std::vector<Remark>& remarks, const CheckEvaluation& evaluation) {
  switch (evaluation.status) {
    case CheckStatus::pass:
    case CheckStatus::error:
    case CheckStatus::skipped:
      return;
    case CheckStatus::missing:
    case CheckStatus::undecided:
      remarks.push_back(lacking_of(evaluation));
      return;
    case CheckStatus::incomparable:
      if (evaluation.problem) remarks.push_back(*evaluation.problem);
      return;
    case CheckStatus::fail:
    case CheckStatus::waived:
      break;
  }
  if (!evaluation.coverage.non_finite.empty())
    remarks = causes_of(evaluation.coverage.non_finite, evaluation.run);
  if (evaluation.comparison.out_of_reach)
    remarks.emplace_back(
        remark::OutOfReach{evaluation.rule().reduce, ranges_of(*evaluation.comparison.out_of_reach)});
  if (!evaluation.coverage.complete()) remarks.push_back(lacking_of(evaluation));
  const bool has_ratio = !evaluation.reference.variants.empty() && evaluation.coverage.non_finite.empty() &&
                         evaluation.target.metric.kind != MetricKind::speed;
  if (!has_ratio) return;
  if (const auto ratio = same_ratio(evaluation.series, evaluation.reference.variants.front().series))
    remarks.emplace_back(remark::SameRatio{*ratio});
}

void add_waiver(std::vector<Remark>& remarks, const CheckEvaluation& evaluation) {
  const std::optional<Waiver>& waiver = evaluation.rule().waive;
  const bool has_expired = evaluation.status == CheckStatus::fail && !evaluation.input.today.empty();
  if (waiver && (evaluation.status == CheckStatus::waived || has_expired))
    remarks.emplace_back(remark::Waived{waiver->until, waiver->reason, has_expired});
}

std::vector<Remark> all_remarks(const CheckEvaluation& evaluation) {
  std::vector<Remark> remarks;
  add_reasons(remarks, evaluation);
  if (evaluation.of_runs) remarks.emplace_back(*evaluation.of_runs);
  add_waiver(remarks, evaluation);
  for (Remark& remark : remarks_on(evaluation)) remarks.push_back(std::move(remark));
  const bool assumed = std::ranges::any_of(
      evaluation.target.references, [](const ReferenceSeries* r) { return r->runs.front().assumed(); });
  if (assumed && evaluation.status != CheckStatus::pass && evaluation.status != CheckStatus::undecided)
    remarks.emplace_back(remark::Plain::steps_assumed);
  return remarks;
}

}  // namespace

Check check_of(const CheckEvaluation& evaluation) {
  Check check = frame_of(evaluation);
  check.compared = evaluation.comparison.compared;
  fill_limit(check, evaluation);
  if (evaluation.comparison.worst) fill_values(check, *evaluation.comparison.worst);
  fill_misses(check, evaluation);
  const WindowLevel level = level_of(evaluation);
  check.mean = level.run;
  check.baseline_mean = level.baseline;
  if (check.status == CheckStatus::fail || check.status == CheckStatus::waived)
    check.trace = trace_of(evaluation);
  check.remarks = all_remarks(evaluation);
  return check;
}

}  // namespace gate::judge
