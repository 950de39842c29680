#include "runner/ab/paired_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gate/base/text.h"
#include "gate/judge/difference.h"
#include "gate/judge/rules.h"
#include "gate/judging/case_judge.h"
#include "gate/words/ab.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"

namespace gate::app {

namespace {

constexpr double error_of_all = 0.05;  // of all intervals together

// Which part of the error a metric has beside others: speed is what differs from run to run.
double weight_of(const AbMetric& metric) { return metric.kind == MetricKind::speed ? 8 : 1; }

// What the rules make of the two launches, side by side.
std::vector<Check> side_by_side_checks(const config::Case& spec, const std::vector<Rule>& rules,
                                       const Extraction& a, const Extraction& b) {
  config::Case reducing = with_rules_alone(spec, rules);
  reducing.settings.judge = config::JudgeMode::series;
  Baseline baseline;
  baseline.runs.push_back({std::nullopt, a.series});
  Extraction beside = b;
  beside.profiled.insert(beside.profiled.end(), a.profiled.begin(), a.profiled.end());
  return judge_case(reducing, {make_reference(baseline, "A"), {}, {}}, beside, Exited{0}, "", "").checks;
}

bool has_both(const Check& check) {
  return check.baseline && check.actual && check.baseline->is_finite() && check.actual->is_finite();
}

bool is_accuracy(const config::Case& spec, const Series& series) {
  return spec.metrics.get(series.metric()).kind == MetricKind::accuracy;
}

// Return the first value of the case's accuracy that is none, `lm_loss is nan at step 3`; "" without any.
Sentence not_finite(const config::Case& spec, const Extraction& run) {
  const bool all = std::ranges::find(spec.rules, judge::finite_rule, &Rule::name) != spec.rules.end();
  for (const Series& series : run.series) {
    if (!is_accuracy(spec, series)) continue;
    if (!all && std::ranges::find(spec.rules, series.metric(), &Rule::metric) == spec.rules.end()) continue;
    for (const Sample& sample : series.samples())
      if (!sample.value.is_finite() && sample.value.kind != ValueKind::left_out)
        return say({"{} is {} at {}", "{0} 在{2}的值是 {1}"}, label(series), words::value_text(sample.value),
                   words::number_text(sample.number, series.numbered()));
  }
  return {};
}

bool is_equal(const Series& a, const std::vector<Series>& all) {
  const Series* other = find_series(all, a.metric(), a.rank());
  return other != nullptr && !judge::difference_of(a, *other).first;
}

void add_difference(AbLoss& loss, const Difference& difference) {
  loss.common = loss.common == 0 ? difference.common : std::min(loss.common, difference.common);
  if (!difference.first) return;
  ++loss.different;
  if (!loss.first || difference.first->number < loss.first->number) loss.first = difference.first;
}

Verdict verdict_for(AbAnswer answer) {
  if (answer == AbAnswer::worse) return Verdict::regressed;
  return answer == AbAnswer::undecided ? Verdict::unjudged : Verdict::passed;
}

}  // namespace

PairedLaunches::PairedLaunches(const AbCheckout& a, const AbCheckout& b, const AbQuestion& question)
    : CourseRow(a.planned(), question.today), a_(a), b_(b), question_(question) {
  result_.most = question_.pairs;
  result_.confidence = 1 - error_of_all;
}

const AbCheckout& PairedLaunches::side() const {
  const bool is_second = launches_.size() % 2 == 1;
  return judge::begins_with_b(result_.pairs) != is_second ? b_ : a_;
}

NextLaunch PairedLaunches::begin() const {
  return {.purpose = Purpose::recording,
          .keeps_series = false,
          .what = {std::shared_ptr<void>(), &side().planned()},
          .suite = &side().suite};
}

CourseStep PairedLaunches::next(Measured run, const Standstill&) {
  const AbCheckout& from = side();
  pair_[&from == &b_ ? 1 : 0] = std::move(run.launched.extraction);
  launches_.push_back(std::move(run.launched));
  if (run.report.verdict != Verdict::passed) {
    fail(from.name, run.report.verdict, run.report.reason);
    const auto log = launches_.back().artifacts.find("log");
    if (log != launches_.back().artifacts.end()) result_.failure->log = log->second;
    failed_ = std::move(run.report);
    return Done{report()};
  }
  if (launches_.size() % 2 == 1) return begin();
  if (!add_pair()) return Done{report()};
  answer();
  if (is_decided() || result_.pairs == result_.most) return Done{.report = report(), .announced = progress()};
  NextLaunch again = begin();
  again.announced = progress();
  return again;
}

// Returns false where the two tell nothing.
bool PairedLaunches::add_pair() {
  if (!are_finite(pair_[0], pair_[1]) || !add_values(pair_[0], pair_[1])) return false;
  ++result_.pairs;
  add_losses(pair_[0], pair_[1]);
  if (!first_a_) first_a_ = std::move(pair_[0]);
  return true;
}

void PairedLaunches::fail(const std::string& side, Verdict verdict, const Sentence& reason) {
  result_.failure = AbFailure{side, result_.pairs + 1, verdict, reason, ""};
  result_.metrics.clear();
  result_.losses.clear();
}

// Returns false where a side's training came to what is no number. If it is B's alone, B is worse.
bool PairedLaunches::are_finite(const Extraction& a, const Extraction& b) {
  const Sentence of_a = not_finite(*a_.planned().spec, a), of_b = not_finite(*a_.planned().spec, b);
  if (of_a.empty() && of_b.empty()) return true;
  fail(of_a.empty() ? "B" : "A", of_a.empty() ? Verdict::regressed : Verdict::unjudged,
       of_a.empty() ? of_b : of_a);
  return false;
}

// Returns false where a side did not print what the first pair has.
bool PairedLaunches::add_values(const Extraction& a, const Extraction& b) {
  const std::vector<Check> checks = side_by_side_checks(*a_.planned().spec, question_.rules, a, b);
  const Sentence why_not = result_.metrics.empty() ? begin_metrics(checks) : Sentence();
  if (!why_not.empty()) {
    fail("", Verdict::unjudged, why_not);
    return false;
  }
  for (AbMetric& metric : result_.metrics) {
    const auto check = std::ranges::find(checks, metric.rule, &Check::rule);
    if (check == checks.end() || !has_both(*check)) {
      fail(
          check == checks.end() || !check->baseline ? "A" : "B", Verdict::incomplete,
          say({"{}: not the steps and finite values that the first pair has", "{}：步和有限值与第一对不一致"},
              metric.metric));
      return false;
    }
    metric.pairs.push_back({check->baseline->number.to_double(), check->actual->number.to_double()});
  }
  return true;
}

// Returns why there is nothing to be asked of the pairs; "": there is. No metric is passed over because it
// cannot be compared.
Sentence PairedLaunches::begin_metrics(const std::vector<Check>& checks) {
  bool has_speed = false;
  for (std::size_t i = 0; i < question_.rules.size(); ++i) {
    const auto check = std::ranges::find(checks, question_.rules[i].name, &Check::rule);
    if (check == checks.end()) continue;
    if (!has_both(*check))
      return say({"{}: the window {} holds no values that both commits print",
                  "{}：窗口 {} 内没有两个提交都打印的值"},
                 check->metric, to_string(question_.rules[i].window));
    has_speed |= check->kind == MetricKind::speed;
    result_.metrics.push_back({check->rule, check->metric, words::reduced_text(*check), check->unit,
                               check->kind, check->better, question_.tolerated[i]});
  }
  if (question_.needs_speed && !has_speed)
    return say({"no metric of speed that both commits print; --metric names others",
                "没有两个提交都打印的速度指标；可用 --metric 指定别的指标"});
  if (!result_.metrics.empty()) return {};
  return say({"nothing of --metric that both commits print", "--metric 的指标没有一个是两个提交都打印的"});
}

void PairedLaunches::add_losses(const Extraction& a, const Extraction& b) {
  for (const Series& series : a.series) {
    const Series* other = find_series(b.series, series.metric(), series.rank());
    if (!is_accuracy(*a_.planned().spec, series) || other == nullptr) continue;
    const std::string name = label(series);
    auto loss = std::ranges::find(result_.losses, name, &AbLoss::series);
    if (loss == result_.losses.end()) loss = result_.losses.insert(loss, {.series = name, .first = {}});
    add_difference(*loss, judge::difference_of(series, *other));
    if (first_a_ && !is_equal(series, first_a_->series)) loss->differs_in_a = true;
  }
}

void PairedLaunches::answer() {
  double all = 0;
  for (const AbMetric& metric : result_.metrics) all += weight_of(metric);
  for (AbMetric& metric : result_.metrics)
    metric.change = judge::paired_change(
        metric.pairs,
        {.most = result_.most, .error = error_of_all * weight_of(metric) / all, .change = metric.tolerated},
        metric.better);
}

bool PairedLaunches::is_decided() const {
  return std::ranges::all_of(result_.metrics, [](const AbMetric& metric) {
    return metric.change && metric.change->answer != AbAnswer::undecided;
  });
}

Sentence PairedLaunches::progress() const {
  std::vector<Sentence> words;
  for (const AbMetric& metric : result_.metrics)
    words.emplace_back(
        fmt::format("{} {:.6g} -> {:.6g}", metric.metric, metric.pairs.back().a, metric.pairs.back().b));
  return say({"pair {} of at most {}: {}", "第 {} 对，最多 {} 对：{}"}, result_.pairs, result_.most,
             join(words, comma));
}

CaseReport PairedLaunches::report() const {
  CaseReport report = failed_.value_or(CaseReport{});
  report.name = a_.planned().spec->name;
  report.platform = a_.planned().placement.platform;
  const words::AbSummary summary = words::summary_of(result_);
  report.verdict = result_.failure ? result_.failure->verdict : verdict_for(answer_of(result_));
  report.reason = result_.failure ? summary.rest : summary.head + colon + summary.rest;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    report.add(launches_[i], i + 1 == launches_.size() ? "" : std::to_string(i + 1));
  return report;
}

}  // namespace gate::app
