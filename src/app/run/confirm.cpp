#include "app/run/confirm.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/judge/noise.h"

namespace gate::app {

namespace {

using SingleRuns = std::vector<SingleRun>;

bool is_speed(const Check& check, const MetricTable& metrics) {
  return metrics.get(check.metric).kind == MetricKind::speed;
}

// Tell whether a speed was printed that is no number: this no mean of further runs makes good.
bool has_odd_speed(const SingleRun& run, const MetricTable& metrics) {
  const auto is_odd = [](const Sample& sample) { return !sample.value.is_finite(); };
  const auto odd_series = [&](const Series& series) {
    return metrics.get(series.metric()).kind == MetricKind::speed &&
           std::any_of(series.samples().begin(), series.samples().end(), is_odd);
  };
  const auto odd_check = [&](const Check& check) {
    const bool fails = check.status == CheckStatus::fail && is_speed(check, metrics);
    return fails && !is_finite(check.actual);
  };
  const std::vector<Series>& series = run.launched.extraction.series;
  const std::vector<Check>& checks = run.report.checks;
  return std::any_of(series.begin(), series.end(), odd_series) ||
         std::any_of(checks.begin(), checks.end(), odd_check);
}

bool same(const Check& a, const Check& b) {
  return a.rule == b.rule && a.metric == b.metric && a.rank == b.rank;
}

const Check* find_check(const CaseReport& report, const Check& check) {
  const auto it = std::find_if(report.checks.begin(), report.checks.end(),
                               [&](const Check& other) { return same(other, check); });
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
  std::vector<judge::Noise> all =
      judge::assess(spec.rules, spec.metrics, with_derived(spec, planned.against.reference, {}),
                    planned.placement.platform, runs, judge::Confirm::yes);
  std::erase_if(all, [](const judge::Noise& noise) { return noise.kind != MetricKind::speed; });
  for (Note& note : judge::noise_notes(all)) report.notes.push_back(std::move(note));
}

void add_others(CaseReport& report, const PlannedCase& planned, const SingleRuns& runs,
                const SingleRun* but) {
  for (const SingleRun& run : runs)
    if (&run != but) add_other_launch(report, planned, run.launched, run.number);
}

// What is no fault of the case's leaves the failure that was found.
bool says_nothing(const CaseReport& report) {
  return report.verdict == Verdict::interrupted || report.verdict == Verdict::not_run ||
         report.verdict == Verdict::infra;
}

CaseReport unconfirmed(const PlannedCase& planned, const SingleRuns& runs, int wanted,
                       const std::string& why) {
  CaseReport report = runs.front().report;
  add_others(report, planned, runs, &runs.front());
  report.notes.push_back(plain_note("not confirmed and not refuted: " + why + "; " +
                                    count_of(static_cast<std::int64_t>(runs.size()), "run") +
                                    " of --confirm " + std::to_string(wanted) +
                                    " began, and what the first one found stands"));
  return report;
}

CaseReport ended_by_last(const PlannedCase& planned, const SingleRuns& runs, int wanted) {
  const MetricTable& metrics = planned.spec->metrics;
  CaseReport report = runs.back().report;
  add_others(report, planned, runs, &runs.back());
  report.reason =
      "run " + std::to_string(runs.size()) + " of --confirm " + std::to_string(wanted) + ": " + report.reason;
  for (const Check& check : runs.front().report.checks)
    if (check.status == CheckStatus::fail && is_speed(check, metrics))
      report.notes.push_back(note_on(check, first_run(check)));
  report.notes.push_back(plain_note(report.reason));
  return report;
}

CaseReport judged_by_mean(CaseRuns& runs, SingleRuns& all) {
  CaseReport report = runs.pooled(all);
  add_others(report, runs.planned(), all, &all.front());
  tell_checks(report, all, runs.planned().spec->metrics);
  tell_noise(report, runs.planned(), static_cast<int>(all.size()));
  return report;
}

}  // namespace

bool only_speed_failed(const SingleRun& run, const MetricTable& metrics) {
  const CaseReport& report = run.report;
  if (has_odd_speed(run, metrics)) return false;
  if (report.verdict != Verdict::regressed || !report.outcome || !ended_well(*report.outcome)) return false;
  return std::all_of(report.checks.begin(), report.checks.end(), [&](const Check& check) {
    if (check.status == CheckStatus::fail) return is_speed(check, metrics);
    return check.status == CheckStatus::pass || check.status == CheckStatus::waived;
  });
}

CaseReport confirm(CaseRuns& runs, SingleRun first) {
  const int wanted = runs.options().confirm;
  const PlannedCase& planned = runs.planned();
  SingleRuns all;
  all.push_back(std::move(first));
  while (static_cast<int>(all.size()) < wanted) {
    if (runs.session().must_stop()) return unconfirmed(planned, all, wanted, "no further run could start");
    runs.session().tell(planned.spec->name, "only speed failed; run " + std::to_string(all.size() + 1) +
                                                " of " + std::to_string(wanted));
    all.push_back(runs.next());
    const CaseReport& last = all.back().report;
    if (says_nothing(last)) return unconfirmed(planned, all, wanted, last.reason);
    if (last.verdict != Verdict::passed && !only_speed_failed(all.back(), planned.spec->metrics))
      return ended_by_last(planned, all, wanted);
  }
  return judged_by_mean(runs, all);
}

}  // namespace gate::app
