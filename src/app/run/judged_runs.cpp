#include "app/run/judged_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/judging/determinism.h"
#include "app/launch/stages.h"
#include "app/run/further_run.h"
#include "app/run/phase_launches.h"
#include "app/run/run_candidate.h"
#include "app/run/staged_case.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/judge/noise.h"
#include "gate/words/remarks.h"

namespace gate::app {

namespace {

// One run of a case, and what is said of it alone.
struct SingleRun {
  LaunchResult launched;
  CaseReport report;
  int number = 1;  // of the launch
};
using SingleRuns = std::vector<SingleRun>;

bool is_speed(const Check& check, const MetricTable& metrics) {
  return metrics.get(check.metric).kind == MetricKind::speed;
}

// Tell whether one of these metrics was printed, or computed, as no number: this no mean of further runs
// makes good.
bool has_non_finite(const SingleRun& run, const std::function<bool(const std::string& metric)>& is_one) {
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

bool has_non_finite_speed(const SingleRun& run, const MetricTable& metrics) {
  return has_non_finite(
      run, [&](const std::string& metric) { return metrics.get(metric).kind == MetricKind::speed; });
}

// Tell whether the run, judged alone, was whole: it may be judged with others by their mean. There is none of
// what no rule judges, as tests and `converged`, and of what another tool judges.
bool is_whole(const SingleRun& run, const std::vector<Rule>& rules) {
  const CaseReport& report = run.report;
  if (!run.launched.extraction.not_shown.empty()) return false;
  if (!report.has_ended_well()) return false;
  if (report.verdict != Verdict::regressed || report.profile != "gate")
    return report.verdict == Verdict::passed || report.verdict == Verdict::unjudged;
  const auto may_be = [&](const Check& check) {
    const bool has_rule = std::ranges::find(rules, check.rule, &Rule::name) != rules.end();
    return check.status == CheckStatus::pass || check.status == CheckStatus::waived ||
           check.status == CheckStatus::incomparable || (check.status == CheckStatus::fail && has_rule);
  };
  const auto has_failed = [&](const std::string& metric) {
    return std::ranges::any_of(report.checks, [&](const Check& check) {
      return check.status == CheckStatus::fail && check.metric == metric;
    });
  };
  return std::ranges::all_of(report.checks, may_be) && !has_non_finite(run, has_failed);
}

// Tell whether the run ended well and nothing but checks of kind speed failed in it.
bool only_speed_failed(const SingleRun& run, const MetricTable& metrics) {
  const CaseReport& report = run.report;
  if (has_non_finite_speed(run, metrics) || !run.launched.extraction.not_shown.empty()) return false;
  if (report.verdict != Verdict::regressed || !report.has_ended_well()) return false;
  return std::ranges::all_of(report.checks, [&](const Check& check) {
    if (check.status == CheckStatus::fail) return is_speed(check, metrics) && check.phase.empty();
    return check.status == CheckStatus::pass || check.status == CheckStatus::waived;
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

std::vector<std::optional<Value>> each_value(const SingleRuns& runs, const Check& check) {
  std::vector<std::optional<Value>> values;
  for (const SingleRun& run : runs)
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
void tell_each(CaseReport& report, const SingleRuns& runs) {
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
void tell_checks(CaseReport& report, const SingleRuns& runs, const MetricTable& metrics) {
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

// The runs of one case: each launched, judged alone, and kept in a folder of its own.
class JudgedRuns {
 public:
  JudgedRuns(CaseRunner& runner, const PlannedCase& planned, const std::string& today)
      : runner_(runner), planned_(planned), today_(today) {}

  // Launch and judge it, as often as it takes to say what becomes of it; and once more, for people, where
  // that asks for it.
  CaseReport judge() {
    SingleRuns all;
    all.push_back(next());
    CaseReport report = verdict(all);
    if (runner_.has_lost_its_host(planned_) || session_.must_stop(planned_)) return report;
    const WantedRun wanted = wanted_after(*planned_.spec, report, today_);
    if (!wanted.setting.empty()) add_further_run(report, runner_, planned_, wanted, ++launches_);
    return report;
  }

 private:
  // Of the case whose first run has ended.
  CaseReport verdict(SingleRuns& all) {
    if (determinism_ > 1) return printed_alike(all);
    if (repeat_ > 1) return repeated(all);
    if (wanted_ <= 1 || !only_speed_failed(all.front(), metrics_)) return std::move(all.front().report);
    while (static_cast<int>(all.size()) < wanted_) {
      if (session_.must_stop())
        return unconfirmed(all, "no further run could start: " + session_.why_stopped());
      session_.tell(planned_.spec->name,
                    fmt::format("only speed failed; run {} of {}", all.size() + 1, wanted_));
      all.push_back(next());
      const CaseReport& last = all.back().report;
      const bool no_fault_of_its_own = last.verdict == Verdict::interrupted ||
                                       last.verdict == Verdict::not_run || last.verdict == Verdict::infra;
      if (no_fault_of_its_own) return unconfirmed(all, last.reason);
      if (last.verdict != Verdict::passed && !only_speed_failed(all.back(), metrics_)) return refuted(all);
    }
    return judged_by_mean(all);
  }

  // What its runs print is compared with one another, too.
  CaseReport judged(const LaunchResult& launched, std::span<const Extraction* const> further = {}) const {
    config::Case spec = *planned_.spec;
    if (determinism_ > 1 && spec.settings.strict == judge::Strict::accuracy)
      spec.settings.strict = judge::Strict::no;
    return judge_case(spec, planned_.against, launched.extraction, launched.outcome,
                      planned_.placement.platform, today_, runner_.partners(planned_), further);
  }

  Purpose purpose() const {
    if (repeat_ > 1 || determinism_ > 1) return Purpose::repeating;
    return wanted_ > 1 ? Purpose::confirming : Purpose::judging;
  }

  SingleRun judged_alone(LaunchResult launched) {
    SingleRun run;
    run.number = launches_;
    run.launched = std::move(launched);
    run.report = judged(run.launched);
    session_.remember(keep_series(candidate_of(planned_, run.launched), run.launched));
    if (planned_.spec->settings.phases.size() > 1)
      launch_further_phases(runner_, planned_, purpose(), run.number, today_, run.launched, run.report);
    run.report.add(run.launched);
    return run;
  }

  // Run the case once, and again if the host is to blame for how it ended, as often as --retry-infra allows.
  // The first of several runs may go on elsewhere where its host is lost.
  SingleRun next() {
    const int retries = session_.options().retry_infra;
    const bool is_first = launches_ == past_.count;
    std::vector<std::string> notes = is_first ? past_.notes : std::vector<std::string>{};
    for (int number = 1 + static_cast<int>(notes.size());; ++number) {
      ++launches_;
      SingleRun run = judged_alone(runner_.launch(planned_, purpose(), launches_));
      for (const std::string& note : notes) run.report.notes.push_back(plain_note(note));
      if (run.report.verdict != Verdict::infra || number > retries || session_.must_stop()) return run;
      const bool elsewhere = runner_.has_lost_its_host(planned_);
      if (elsewhere && !(is_first && runner_.can_run_elsewhere(planned_))) return run;
      notes.push_back("try " + std::to_string(number) + " was infra: " + run.report.reason);
      session_.tell(planned_.spec->name,
                    fmt::format("infra: {}; trying again{} ({} of {})", run.report.reason,
                                elsewhere ? " on another host" : "", number, retries));
      if (!elsewhere) continue;
      runner_.run_elsewhere(planned_, {launches_, notes});
      return run;
    }
  }

  // Launch the case as often as `repeat` says. A run that is not whole alone is the case's.
  CaseReport repeated(SingleRuns& all) {
    while (is_whole(all.back(), planned_.spec->rules) && std::ssize(all) < repeat_) {
      if (session_.must_stop(planned_)) return cut_short(all, "repeat", repeat_);
      session_.tell(planned_.spec->name, fmt::format("run {} of {}", all.size() + 1, repeat_));
      all.push_back(next());
    }
    const bool is_last_whole = is_whole(all.back(), planned_.spec->rules);
    CaseReport report;
    if (is_last_whole) {
      report = pooled(all);
      tell_each(report, all);
      for (std::size_t i = 1; i < all.size(); ++i)
        std::ranges::copy(all[i].report.problems, std::back_inserter(report.problems));
    } else {
      report = ended_by_last(all, "repeat", repeat_);
      report.notes.push_back(plain_note(report.reason));
    }
    return report;
  }

  // The report is that of the first run, and whether the others print the same. A run that did not end well
  // is the case's.
  CaseReport printed_alike(SingleRuns& all) {
    const auto ended = [](const SingleRun& run) {
      return run.report.ended_by == EndedBy::none && run.report.has_ended_well();
    };
    while (ended(all.back()) && std::ssize(all) < determinism_) {
      if (session_.must_stop(planned_)) return cut_short(all, "--determinism", determinism_);
      session_.tell(planned_.spec->name, fmt::format("run {} of {}", all.size() + 1, determinism_));
      all.push_back(next());
    }
    if (!ended(all.back())) return ended_by_last(all, "--determinism", determinism_);
    CaseReport report = all.front().report;
    add_others(report, all, all.front());
    std::vector<const Extraction*> runs;
    for (const SingleRun& run : all) runs.push_back(&run.launched.extraction);
    add_determinism(report, *planned_.spec, runs);
    for (std::size_t phase = 1; phase < config::count_starts(planned_.spec->settings); ++phase)
      compare_phases(report, all, phase);
    for (std::size_t i = 1; i < all.size(); ++i) take_rest(report, all[i], i + 1);
    return report;
  }

  // A run without the phase has not ended well before it, and its own report says so.
  void compare_phases(CaseReport& report, const SingleRuns& all, std::size_t phase) const {
    std::vector<const Extraction*> runs;
    for (const SingleRun& run : all)
      if (const auto& phases = run.launched.further_phases; phases.size() >= phase)
        runs.push_back(&phases[phase - 1]);
    if (std::ssize(runs) == std::ssize(all))
      add_determinism(report, *planned_.spec, runs, config::phase_name(planned_.spec->settings, phase));
  }

  // A further run that is no whole one, by what it says itself, is the case's; whether it is within tolerance
  // is not asked.
  void take_rest(CaseReport& report, const SingleRun& run, std::size_t number) const {
    std::ranges::copy(run.report.problems, std::back_inserter(report.problems));
    const bool is_whole = run.report.verdict == Verdict::passed || run.report.verdict == Verdict::regressed;
    if (report.verdict != Verdict::passed || is_whole) return;
    report.verdict = run.report.verdict;
    report.reason = fmt::format("run {} of --determinism {}: {}", number, determinism_, run.report.reason);
  }

  // Some of the runs were never started: nothing is judged by fewer.
  CaseReport cut_short(const SingleRuns& all, std::string_view what, int wanted) {
    CaseReport report = all.back().report;
    add_others(report, all, all.back());
    report.verdict = session_.interruption(planned_) ? Verdict::interrupted : Verdict::not_run;
    report.reason = fmt::format("{} of {} {} could start: {}", count_of(std::ssize(all), "run"), what, wanted,
                                session_.why_stopped());
    return report;
  }

  void add_others(CaseReport& report, const SingleRuns& runs, const SingleRun& but) const {
    for (const SingleRun& run : runs)
      if (&run != &but) report.add(run.launched, std::to_string(run.number));
  }

  // `run 2 of --confirm 3: crashed: exited 1`.
  static std::string told(const SingleRuns& runs, std::string_view what, int wanted) {
    return fmt::format("run {} of {} {}: {}", runs.size(), what, wanted, runs.back().report.reason);
  }

  // The report is that of the last run, whose end is the case's; where an earlier one had failed and the
  // machine ended the last one, that of the earlier one.
  CaseReport ended_by_last(const SingleRuns& runs, std::string_view what, int wanted) const {
    const SingleRun& last = runs.back();
    const auto failed = std::ranges::find_if(
        runs, [](const SingleRun& run) { return run.report.verdict == Verdict::regressed; });
    const bool had_failed = failed != runs.end() && &*failed != &last;
    const bool stands = had_failed && last.report.ended_by == EndedBy::machine;
    const SingleRun& of_case = stands ? *failed : last;
    CaseReport report = of_case.report;
    add_others(report, runs, of_case);
    const std::string ended = told(runs, what, wanted);
    report.reason = stands       ? words::and_then(failed->report.reason, ended)
                    : had_failed ? words::before_that(ended, failed->report.reason)
                                 : ended;
    return report;
  }

  // The first run's failure stands: what ended the further ones is no fault of the case's.
  CaseReport unconfirmed(const SingleRuns& runs, const std::string& why) const {
    CaseReport report = runs.front().report;
    add_others(report, runs, runs.front());
    if (runs.back().report.ended_by == EndedBy::machine)
      report.reason = words::and_then(report.reason, told(runs, "--confirm", wanted_));
    report.notes.push_back(plain_note(fmt::format(
        "not confirmed and not refuted: {}; {} of --confirm {} began, and what the first one found stands",
        why, count_of(std::ssize(runs), "run"), wanted_)));
    return report;
  }

  // The last run failed in another way than by its speed: its verdict is that of the case.
  CaseReport refuted(const SingleRuns& runs) const {
    CaseReport report = ended_by_last(runs, "--confirm", wanted_);
    for (const Check& check : runs.front().report.checks)
      if (check.status == CheckStatus::fail && is_speed(check, metrics_))
        report.notes.push_back(note_on(check, first_run(check)));
    report.notes.push_back(plain_note(report.reason));
    return report;
  }

  // The report is that of the first run, with its speed judged by the mean of all. The series beside the
  // first one's log are then those of every run.
  CaseReport judged_by_mean(SingleRuns& runs) {
    CaseReport report = pooled(runs);
    tell_checks(report, runs, metrics_);
    tell_noise(report, planned_, static_cast<int>(runs.size()));
    return report;
  }

  CaseReport pooled(SingleRuns& runs) {
    LaunchResult& first = runs.front().launched;
    std::vector<const Extraction*> further;
    Baseline all = candidate_of(planned_, first);
    for (std::size_t i = 1; i < runs.size(); ++i) {
      further.push_back(&runs[i].launched.extraction);
      add_runs(all, candidate_of(planned_, runs[i].launched));
    }
    CaseReport report = judged(first, further);
    std::ranges::copy_if(runs.front().report.checks, std::back_inserter(report.checks),
                         [](const Check& check) { return !check.phase.empty(); });
    session_.remember(keep_series(all, first));
    report.add(first);
    add_others(report, runs, runs.front());
    return report;
  }

  CaseRunner& runner_;
  RunSession& session_ = runner_.session();
  const PlannedCase& planned_;
  const MetricTable& metrics_ = planned_.spec->metrics;
  const std::string& today_;
  const int wanted_ = session_.options().confirm;
  const int repeat_ = planned_.spec->settings.repeat;
  const int determinism_ = session_.options().determinism;
  const PastLaunches past_ = runner_.past_launches(planned_);
  int launches_ = past_.count;
};

}  // namespace

CaseReport run_and_judge(CaseRunner& runner, const PlannedCase& planned, const std::string& today) {
  JudgedRuns runs(runner, planned, today);
  if (has_stages(*planned.spec)) return run_stages(runner, planned, today, [&] { return runs.judge(); });
  return runs.judge();
}

}  // namespace gate::app
