#include "runner/course/rows.h"

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "gate/config/phases.h"
#include "gate/judge/noise.h"
#include "gate/judging/determinism.h"
#include "gate/judging/read_logs.h"
#include "gate/words/remarks.h"
#include "runner/course/candidate.h"

namespace gate::app {

namespace {

bool is_speed(const Check& check, const MetricTable& metrics) {
  return metrics.get(check.metric).kind == MetricKind::speed;
}

// Tell whether one of these metrics was printed, or computed, as no number: this no mean of further runs
// makes good.
bool has_non_finite(const Measured& run, const std::function<bool(const std::string& metric)>& is_one) {
  const auto is_non_finite = [](const Sample& sample) { return !sample.value.is_finite(); };
  return std::ranges::any_of(run.launched.extraction.series,
                             [&](const Series& series) {
                               return is_one(series.metric()) &&
                                      std::ranges::any_of(series.samples(), is_non_finite);
                             }) ||
         std::ranges::any_of(run.report.checks, [&](const Check& check) {
           return check.status == CheckStatus::fail && is_one(check.metric) && !is_finite(check.actual);
         });
}

bool has_non_finite_speed(const Measured& run, const MetricTable& metrics) {
  return has_non_finite(
      run, [&](const std::string& metric) { return metrics.get(metric).kind == MetricKind::speed; });
}

// Tell whether the run, judged alone, was whole: it may be judged with others by their mean. There is none of
// what no rule judges, as tests and `converged`, and of what another tool judges.
bool is_whole(const Measured& run, const std::vector<Rule>& rules) {
  const CaseReport& report = run.report;
  if (!run.launched.extraction.not_shown.empty()) return false;
  if (!report.has_ended_well()) return false;
  if (report.verdict != Verdict::regressed || report.profile != "gate")
    return report.verdict == Verdict::passed || report.verdict == Verdict::unjudged;
  const auto may_be = [&](const Check& check) {
    const bool has_rule = std::ranges::find(rules, check.rule, &Rule::name) != rules.end();
    return lets_pass(check.status) || check.status == CheckStatus::incomparable ||
           (check.status == CheckStatus::fail && has_rule);
  };
  const auto has_failed = [&](const std::string& metric) {
    return std::ranges::any_of(report.checks, [&](const Check& check) {
      return check.status == CheckStatus::fail && check.metric == metric;
    });
  };
  return std::ranges::all_of(report.checks, may_be) && !has_non_finite(run, has_failed);
}

// Tell whether the run ended well and nothing but checks of kind speed failed in it.
bool only_speed_failed(const Measured& run, const MetricTable& metrics) {
  const CaseReport& report = run.report;
  if (has_non_finite_speed(run, metrics) || !run.launched.extraction.not_shown.empty()) return false;
  if (report.verdict != Verdict::regressed || !report.has_ended_well()) return false;
  return std::ranges::all_of(report.checks, [&](const Check& check) {
    if (check.status == CheckStatus::fail) return is_speed(check, metrics) && check.phase.empty();
    return lets_pass(check.status);
  });
}

const Check* find_check(const CaseReport& report, const Check& wanted) {
  const auto it = std::ranges::find_if(report.checks, [&](const Check& check) {
    return check.rule == wanted.rule && check.metric == wanted.metric && check.rank == wanted.rank;
  });
  return it == report.checks.end() ? nullptr : &*it;
}

remark::FirstRun first_run(const Check& check) {
  return {.status = check.status,
          .step = check.largest ? std::optional(check.largest->number) : std::nullopt,
          .reduce = check.reduce,
          .actual = check.actual,
          .unit = check.unit,
          .limit = check.limit};
}

std::vector<std::optional<Value>> each_value(const std::vector<Measured>& runs, const Check& check) {
  std::vector<std::optional<Value>> values;
  for (const Measured& run : runs)
    if (const Check* own = find_check(run.report, check)) values.push_back(own->actual);
  return values;
}

// Tell whether two of the values are further apart than the check lets one be from the baseline.
bool are_apart(const std::vector<std::optional<Value>>& values, const Check& check) {
  if (values.empty() || !is_finite(check.baseline) || !std::ranges::all_of(values, is_finite)) return false;
  const auto number_of = [](const std::optional<Value>& value) { return value->number.to_double(); };
  const auto [low, high] = std::ranges::minmax(values, {}, number_of);
  double allowed = 0;
  for (const LimitRange& range : check.limit)
    for (const std::optional<Value>& end : {range.low, range.high})
      if (is_finite(end)) allowed = std::max(allowed, std::abs(number_of(end) - number_of(check.baseline)));
  return allowed > 0 && number_of(high) - number_of(low) > allowed;
}

// Show what each run gave, of checks that take their mean.
void tell_each(CaseReport& report, const std::vector<Measured>& runs) {
  const auto is_of_runs = [](const Remark& remark) { return std::holds_alternative<remark::OfRuns>(remark); };
  for (Check& check : report.checks) {
    if (!check.actual || std::ranges::any_of(check.remarks, is_of_runs)) continue;
    const std::vector<std::optional<Value>> values = each_value(runs, check);
    check.remarks.emplace_back(remark::Repeated{values, check.unit, are_apart(values, check)});
  }
}

Note note_on(const Check& check, Remark remark) {
  return {{{check.rule, {check.rank}}}, check.numbering(), std::move(remark)};
}

// What --confirm makes of each speed check that failed at first or fails in the end.
void tell_checks(CaseReport& report, const std::vector<Measured>& runs, const MetricTable& metrics) {
  for (Check& check : report.checks) {
    const Check* first = find_check(runs.front().report, check);
    const bool failed = check.status == CheckStatus::fail;
    if (first == nullptr || !is_speed(check, metrics) || (!failed && first->status != CheckStatus::fail))
      continue;
    const remark::Pooled pooled{.first = first_run(*first),
                                .runs = std::ssize(runs),
                                .of_each = each_value(runs, check),
                                .together = check.actual,
                                .is_confirmed = failed};
    check.remarks.insert(check.remarks.begin(), pooled);
    report.notes.push_back(note_on(check, pooled));
  }
}

void tell_noise(CaseReport& report, const PlannedCase& planned, int runs) {
  const config::Case& spec = *planned.spec;
  std::vector<judge::Noise> all = judge::assess(
      spec.rules, spec.metrics, with_derived(spec, planned.against.reference, planned.placement.platform, {}),
      planned.placement.platform, runs, judge::Confirm::yes);
  std::erase_if(all, [](const judge::Noise& noise) { return noise.kind != MetricKind::speed; });
  for (Note& note : judge::noise_notes(all)) report.notes.push_back(std::move(note));
}

// How its values are is another question.
bool came_to_its_end(const Measured& run) {
  return run.report.ended_by == EndedBy::none && run.report.has_ended_well();
}

// Which runs a row has.
struct RunsOfRow {
  std::string_view what;  // that asks for them: "repeat"
  int wanted;
  Purpose purpose = Purpose::repeating;
  Sentence why_again = {};  // "only speed failed; "
};

// Several runs, of which nothing is over before the last one.
class JudgingRow : public CourseRow {
 public:
  JudgingRow(const PlannedCase& planned, const std::string& today, const RunsOfRow& of)
      : CourseRow(planned, today), of_(of) {}

  NextLaunch begin() const override { return {.purpose = of_.purpose}; }

  CourseStep next(Measured run, const Standstill& now) override {
    runs_.push_back(std::move(run));
    if (std::optional<CaseReport> ended = ended_early()) return Done{*std::move(ended)};
    if (std::ssize(runs_) == of_.wanted) return together();
    if (now.of_case()) return Done{cut_short(now)};
    NextLaunch again = begin();
    again.announced =
        of_.why_again + say({"run {} of {}", "第 {} 次运行，共 {} 次"}, runs_.size() + 1, of_.wanted);
    return again;
  }

 protected:
  // Return the report where the last run, or the first one alone, is the last word; nothing where there is
  // more.
  virtual std::optional<CaseReport> ended_early() = 0;

  // Return what all of the runs come to.
  virtual Done together() = 0;

  // Return it where no further run can start: nothing is judged by fewer.
  virtual CaseReport cut_short(const Standstill& now) const {
    CaseReport report = report_of(runs_.back());
    report.verdict = now.is_interrupted ? Verdict::interrupted : Verdict::not_run;
    report.reason = say({"{} of {} {} could start: {}", "{1} {2} 只启动了 {0}：{3}"},
                        count_of(std::ssize(runs_), "run", "次运行"), of_.what, of_.wanted, now.why);
    return report;
  }

  // Return that of the run, with the records of the others.
  CaseReport report_of(const Measured& run) const {
    CaseReport report = run.report;
    add_others(report, run);
    return report;
  }

  void add_others(CaseReport& report, const Measured& but) const {
    for (const Measured& run : runs_)
      if (&run != &but) report.add(run.launched, std::to_string(run.launch.number));
  }

  // `run 2 of --confirm 3: crashed: exited 1`.
  Sentence told() const {
    return say({"run {} of {} {}: {}", "{1} {2} 的第 {0} 次运行：{3}"}, runs_.size(), of_.what, of_.wanted,
               runs_.back().report.reason);
  }

  // Return that of the last run, whose end is the case's; where an earlier one had failed and the machine
  // ended the last one, that of the earlier one.
  CaseReport ended_by_last() const {
    const Measured& last = runs_.back();
    const auto failed = std::ranges::find_if(
        runs_, [](const Measured& run) { return run.report.verdict == Verdict::regressed; });
    const bool had_failed = failed != runs_.end() && &*failed != &last;
    const bool stands = had_failed && last.report.ended_by == EndedBy::machine;
    CaseReport report = report_of(stands ? *failed : last);
    report.reason = stands       ? words::and_then(failed->report.reason, told())
                    : had_failed ? words::before_that(told(), failed->report.reason)
                                 : told();
    if (stands) report.add_problems({told()});
    return report;
  }

  // Return that of all runs judged together, with their series.
  Done pooled() const {
    const Measured& first = runs_.front();
    std::vector<const Extraction*> further;
    Baseline series = candidate_of(planned_, first.launched);
    for (std::size_t i = 1; i < runs_.size(); ++i) {
      further.push_back(&runs_[i].launched.extraction);
      add_runs(series, candidate_of(planned_, runs_[i].launched));
    }
    CaseReport report = by_rules(*planned_.spec, first.launched, runs_.back().partners, further);
    std::ranges::copy_if(first.report.checks, std::back_inserter(report.checks),
                         [](const Check& check) { return !check.phase.empty(); });
    report.add(first.launched);
    add_others(report, first);
    return {std::move(report),
            first.launched.extraction.series.empty() ? std::nullopt : std::optional(std::move(series))};
  }

  const RunsOfRow of_;
  std::vector<Measured> runs_;
};

class RepeatRow : public JudgingRow {
 public:
  using JudgingRow::JudgingRow;

 private:
  std::optional<CaseReport> ended_early() override {
    if (is_whole(runs_.back(), planned_.spec->rules)) return std::nullopt;
    CaseReport report = ended_by_last();
    report.notes.push_back(plain_note(report.reason));
    return report;
  }

  Done together() override {
    Done done = pooled();
    tell_each(done.report, runs_);
    for (std::size_t i = 1; i < runs_.size(); ++i)
      std::ranges::copy(runs_[i].report.problems, std::back_inserter(done.report.problems));
    return done;
  }
};

class ConfirmRow : public JudgingRow {
 public:
  using JudgingRow::JudgingRow;

 private:
  std::optional<CaseReport> ended_early() override {
    const CaseReport& last = runs_.back().report;
    const bool may_be_noise = only_speed_failed(runs_.back(), metrics_);
    if (runs_.size() == 1) return may_be_noise ? std::nullopt : std::optional(last);
    if (last.verdict == Verdict::interrupted || last.verdict == Verdict::not_run ||
        last.verdict == Verdict::infra)  // no fault of its own
      return unconfirmed(last.reason);
    return last.verdict == Verdict::passed || may_be_noise ? std::nullopt : std::optional(refuted());
  }

  CaseReport cut_short(const Standstill& now) const override {
    return unconfirmed(say({"no further run could start: {}", "无法再启动运行：{}"}, now.why));
  }

  // The first run's failure stands: what ended the further ones is no fault of the case's.
  CaseReport unconfirmed(const Sentence& why) const {
    CaseReport report = report_of(runs_.front());
    if (runs_.back().report.ended_by == EndedBy::machine)
      report.reason = words::and_then(report.reason, told());
    report.notes.push_back(plain_note(say(
        {"not confirmed and not refuted: {}; {} of --confirm {} began, and what the first one found stands",
         "既未确认也未排除：{0}；--confirm {2} 中启动了 {1}，以第一次的结果为准"},
        why, count_of(std::ssize(runs_), "run", "次运行"), of_.wanted)));
    return report;
  }

  // The last run failed in another way than by its speed: its verdict is that of the case.
  CaseReport refuted() const {
    CaseReport report = ended_by_last();
    for (const Check& check : runs_.front().report.checks)
      if (check.status == CheckStatus::fail && is_speed(check, metrics_))
        report.notes.push_back(note_on(check, first_run(check)));
    report.notes.push_back(plain_note(report.reason));
    return report;
  }

  // Speed is judged by the mean of all.
  Done together() override {
    Done done = pooled();
    tell_checks(done.report, runs_, metrics_);
    tell_noise(done.report, planned_, of_.wanted);
    return done;
  }

  const MetricTable& metrics_ = planned_.spec->metrics;
};

class DeterminismRow : public JudgingRow {
 public:
  using JudgingRow::JudgingRow;

  // What its runs print is compared with one another, so that its mode of computing need not be known.
  CaseReport judged(const NextLaunch&, const LaunchResult& launched,
                    const Partners& partners) const override {
    config::Case spec = *planned_.spec;
    if (spec.settings.strict == judge::Strict::accuracy) spec.settings.strict = judge::Strict::no;
    return by_rules(spec, launched, partners);
  }

 private:
  std::optional<CaseReport> ended_early() override {
    const auto drop_others = [&](Extraction& run) {
      std::erase_if(run.series,
                    [&](const Series& one) { return !must_be_same(one, planned_.spec->metrics); });
    };
    drop_others(runs_.back().launched.extraction);
    std::ranges::for_each(runs_.back().launched.further_phases, drop_others);
    return came_to_its_end(runs_.back()) ? std::nullopt : std::optional(ended_by_last());
  }

  // The report is that of the first run, and whether the others print the same.
  Done together() override {
    CaseReport report = report_of(runs_.front());
    for (std::size_t phase = 0; phase < config::count_starts(planned_.spec->settings); ++phase)
      compare(report, phase);
    for (std::size_t i = 1; i < runs_.size(); ++i) take_rest(report, runs_[i], i + 1);
    return {std::move(report)};
  }

  // A run without the phase has not ended well before it, and its own report says so.
  void compare(CaseReport& report, std::size_t phase) const {
    std::vector<const Extraction*> runs;
    for (const Measured& run : runs_)
      if (const auto& phases = run.launched.further_phases; phases.size() >= phase)
        runs.push_back(phase == 0 ? &run.launched.extraction : &phases[phase - 1]);
    if (runs.size() == runs_.size())
      add_determinism(report, *planned_.spec, runs,
                      phase == 0 ? "" : config::phase_name(planned_.spec->settings, phase));
  }

  // A further run that is no whole one, by what it says itself, is the case's; whether it is within tolerance
  // is not asked.
  void take_rest(CaseReport& report, const Measured& run, std::size_t number) const {
    std::ranges::copy(run.report.problems, std::back_inserter(report.problems));
    const bool is_whole = run.report.verdict == Verdict::passed || run.report.verdict == Verdict::regressed;
    if (report.verdict != Verdict::passed || is_whole) return;
    report.verdict = run.report.verdict;
    report.reason = say({"run {} of {} {}: {}", "{1} {2} 的第 {0} 次运行：{3}"}, number, of_.what, of_.wanted,
                        run.report.reason);
  }
};

class OnceRow : public CourseRow {
 public:
  using CourseRow::CourseRow;
  NextLaunch begin() const override { return {}; }
  CourseStep next(Measured run, const Standstill&) override { return Done{std::move(run.report)}; }
};

class MeasureRow : public OnceRow {
 public:
  using OnceRow::OnceRow;
  bool is_judging() const override { return false; }
  NextLaunch begin() const override { return {.purpose = Purpose::repeating, .keeps_series = false}; }
};

}  // namespace

std::unique_ptr<CourseRow> judging_row(const PlannedCase& planned, const RunOptions& options,
                                       const std::string& today) {
  const RunsOfRow alike{"--determinism", options.determinism}, all{"repeat", planned.spec->settings.repeat},
      mean{"--confirm", options.confirm, Purpose::confirming,
           say({"only speed failed; ", "只有速度未通过；"})};
  if (alike.wanted > 1) return std::make_unique<DeterminismRow>(planned, today, alike);
  if (all.wanted > 1) return std::make_unique<RepeatRow>(planned, today, all);
  if (mean.wanted > 1) return std::make_unique<ConfirmRow>(planned, today, mean);
  return std::make_unique<OnceRow>(planned, today);
}

std::unique_ptr<CourseRow> measuring_row(const PlannedCase& planned, const std::string& today) {
  return std::make_unique<MeasureRow>(planned, today);
}

}  // namespace gate::app
