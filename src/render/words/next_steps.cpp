#include "render/words/next_steps.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/judge/triage.h"
#include "gate/model/decimal.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

// A word of a shell command. One that cannot be shown as it is becomes bash's $'...'.
std::string pasteable(const std::string& word) {
  if (inert(safe(word)) == word) return shell_quote(word);
  std::string escaped;
  for (const char c : word) escaped += c == '\\' || c == '\'' ? std::string("\\") + c : std::string(1, c);
  return "$'" + inert(safe(escaped)) + "'";
}

bool has_finite_values(const Check& check) {
  const bool first = !check.first_miss || is_finite(check.first_miss->actual);
  const bool largest = !check.largest || is_finite(check.largest->actual);
  return first && largest && (!check.actual || is_finite(check.actual));
}

std::vector<std::string> failed_metrics(const CaseReport& one) {
  std::vector<std::string> metrics;
  for (const Check& check : one.checks) {
    const bool known = std::ranges::find(metrics, check.metric) != metrics.end();
    // What is derived is in no baseline, and another phase than the first one is not judged against any.
    const bool stored = check.formula.empty() && !check.test && check.phase.empty();
    if (check.status == CheckStatus::fail && stored && !known) metrics.push_back(check.metric);
  }
  return metrics;
}

std::string accept_command(const Report& report, const CaseReport& one) {
  const bool plain_run = report.command == "run" && report.set.empty() && one.args.empty();
  if (!plain_run || report.run.empty() || !one.outcome || !ended_well(*one.outcome)) return "";
  const std::vector<std::string> failed = failed_metrics(one);
  const bool finite = std::ranges::all_of(one.checks, [](const Check& check) {
    return check.status != CheckStatus::fail || has_finite_values(check);
  });
  const bool first_one = one.verdict == Verdict::unjudged && one.baselines.empty() && one.steps > 0;
  if (!first_one && (one.verdict != Verdict::regressed || !finite || failed.empty())) return "";
  const std::string metrics = first_one ? "" : " --metrics " + pasteable(join(failed, ","));
  return "gate baseline accept " + pasteable(one.name) + " --from " + pasteable(report.run) + metrics +
         " --reason \"...\"";
}

// Offered where the suite moved and red cases stand apart: what moved with the rest is taken, and nothing
// else.
std::string shift_command(const Report& report) {
  const Triage triage = judge::triage(report.cases);
  const bool has_moved = std::ranges::any_of(
      triage.metrics, [](const MetricTriage& metric) { return metric.together > 0 && metric.median != 0; });
  const bool is_red_one =
      std::ranges::any_of(report.cases, [](const CaseReport& one) { return is_red(one); });
  if (!has_moved || !is_red_one || !report.set.empty() || report.policy) return "";
  return "gate baseline accept --from " + pasteable(report.run) + " --common-shift --reason \"...\"";
}

// Cut off, or left out.
bool is_left(const CaseReport& one) {
  if (one.quarantine) return false;
  return one.verdict == Verdict::interrupted || (one.verdict == Verdict::not_run && !is_held_back(one));
}

}  // namespace

std::vector<NextStep> next_steps(const Report& report, const CaseReport& one) {
  std::vector<NextStep> steps;
  if (!report.run.empty() && (!one.checks.empty() || one.cause))
    steps.push_back({"look", "gate explain " + pasteable(one.name) + " --run " + pasteable(report.run)});
  if (const std::string accept = accept_command(report, one); !accept.empty())
    steps.push_back({"accept", accept});
  for (const auto& [name, path] : one.artifacts)
    if (name == "log" || name.starts_with("log_node")) steps.push_back({"log", pasteable(path)});
  for (const std::string& evidence : evidence_of(one)) steps.push_back({"evidence", evidence});
  return steps;
}

std::vector<std::string> evidence_of(const CaseReport& one) {
  std::vector<std::string> words;
  for (const auto& [name, path] : one.artifacts)
    if (name == "evidence" || name.starts_with("evidence-")) words.push_back(pasteable(path));
  return words;
}

std::vector<NextStep> next_steps(const Report& report) {
  if (report.command != "run" || report.run.empty()) return {};
  std::string run = pasteable(report.run);
  if (report.policy) run += " --policy-from " + pasteable(report.policy->reference);
  if (!report.environment.empty()) run += " --environment " + pasteable(report.environment);
  if (!report.strategy.empty()) run += " --strategy " + pasteable(report.strategy);
  if (report.determinism) run += " --determinism " + std::to_string(*report.determinism);
  for (const std::string& word : report.set) run += " --set " + pasteable(word);
  std::vector<NextStep> steps;
  if (std::ranges::any_of(report.cases, is_left)) steps.push_back({"resume", "gate run --resume " + run});
  if (const std::string shift = shift_command(report); !shift.empty()) steps.push_back({"shift", shift});
  if (std::ranges::any_of(report.cases, [](const CaseReport& one) { return is_red(one); }))
    steps.push_back({"rerun", "gate run --again " + run});
  return steps;
}

}  // namespace gate::render
