// Looks at a baseline as a whole: what it guards, where it comes from, how old it is.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

#include "gate/base/text.h"
#include "judge/lint/lint_rows.h"

namespace gate::judge {

namespace {

// Return the day of an ISO date or time as a number of days, or nothing.
std::optional<std::int64_t> day_of(const std::string& iso) {
  int year = 0, month = 0, day = 0;
  if (std::sscanf(iso.c_str(), "%4d-%2d-%2d", &year, &month, &day) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string date_of(const Baseline& baseline) {
  return baseline.accepted.empty() ? baseline.provenance.date : baseline.accepted.back().when;
}

bool has_rule(const LintQuestion& question, MetricKind kind) {
  return std::any_of(question.guard.rules.begin(), question.guard.rules.end(),
                     [&](const Rule& rule) { return question.guard.metrics.get(rule.metric).kind == kind; });
}

bool has_check(const Inspected& inspected, MetricKind kind) {
  return std::any_of(inspected.checks.begin(), inspected.checks.end(),
                     [&](const Inspected::Held& check) { return check.target.metric.kind == kind; });
}

std::int64_t last_step(const BaselineRun& run) {
  std::int64_t last = 0;
  for (const Series& series : run.series)
    if (series.numbered() == Numbering::step && !series.empty())
      last = std::max(last, series.samples().last_number());
  return last;
}

}  // namespace

Flaws no_script(const Inspected& inspected) {
  if (inspected.question.has_script) return {};
  return {{"", std::nullopt, "no script has its name"}};
}

Flaws not_guarded(const Inspected& inspected) {
  Flaws flaws;
  for (const MetricKind kind : {MetricKind::accuracy, MetricKind::speed, MetricKind::memory})
    if (has_rule(inspected.question, kind) && !has_check(inspected, kind))
      flaws.push_back({"", std::nullopt, "no " + std::string(to_string(kind)) + " is gated"});
  return flaws;
}

Flaws script_changed(const Inspected& inspected) {
  const std::string& now = inspected.question.script_sha256;
  Flaws flaws;
  for (const Baseline* file : inspected.question.files) {
    const std::string& then = file->provenance.script_sha256;
    if (!now.empty() && !then.empty() && now != then)
      flaws.push_back(
          {"", std::nullopt,
           "the script's sha256 is " + now.substr(0, 12) + ", recorded was " + then.substr(0, 12)});
  }
  return flaws;
}

Flaws old(const Inspected& inspected) {
  const std::optional<std::int64_t> today = day_of(inspected.question.today);
  Flaws flaws;
  for (const Baseline* file : inspected.question.files) {
    const std::optional<std::int64_t> day = day_of(date_of(*file));
    if (today && day && *today - *day > inspected.question.days)
      flaws.push_back(
          {"", std::nullopt,
           "of " + date_of(*file).substr(0, 10) + ", " + std::to_string(*today - *day) + " days ago"});
  }
  return flaws;
}

Flaws not_accepted(const Inspected& inspected) {
  Flaws flaws;
  for (const Baseline* file : inspected.question.files)
    if (file->accepted.empty() && file->origin.empty())
      flaws.push_back({"", std::nullopt, "it holds no acceptance"});
  return flaws;
}

Flaws ended_early(const Inspected& inspected) {
  Flaws flaws;
  for (const Baseline* file : inspected.question.files)
    for (const BaselineRun& run : file->runs)
      if (run.total && last_step(run) < *run.total)
        flaws.push_back(
            {"", std::nullopt,
             "it ends at step " + std::to_string(last_step(run)) + " of " + std::to_string(*run.total)});
  return flaws;
}

Flaws steps_assumed(const Inspected& inspected) {
  Flaws flaws;
  std::set<std::string> told;
  for (const Inspected::Held& check : inspected.checks)
    for (const ReferenceSeries* reference : check.target.references)
      if (reference->runs.front().assumed() && told.insert(reference->path).second)
        flaws.push_back({"", std::nullopt, reference->path + " prints no step numbers"});
  return flaws;
}

}  // namespace gate::judge
