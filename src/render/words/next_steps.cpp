#include "render/words/next_steps.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "render/words/columns.h"
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

bool could_be_accepted(const Report& report, const CaseReport& of) {
  const bool plain_run = report.command == "run" && report.set.empty() && of.args.empty();
  return plain_run && !report.run.empty() && of.outcome && ended_well(*of.outcome);
}

bool all_finite(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const Check& c) { return c.status != CheckStatus::fail || has_finite_values(c); });
}

std::vector<std::string> failed_metrics(const CaseReport& of) {
  std::vector<std::string> metrics;
  for (const Check& check : of.checks) {
    const bool known = std::find(metrics.begin(), metrics.end(), check.metric) != metrics.end();
    const bool stored = check.formula.empty();  // what is derived is in no baseline
    if (check.status == CheckStatus::fail && stored && !known) metrics.push_back(check.metric);
  }
  return metrics;
}

std::string accept_command(const Report& report, const CaseReport& of) {
  if (!could_be_accepted(report, of)) return "";
  const bool first_one = of.verdict == Verdict::unjudged && of.baselines.empty() && of.steps > 0;
  const bool moved = of.verdict == Verdict::regressed && all_finite(of.checks);
  if (!first_one && (!moved || failed_metrics(of).empty())) return "";
  const std::string metrics = first_one ? "" : " --metrics " + pasteable(join(failed_metrics(of), ","));
  return "gate baseline accept " + pasteable(of.name) + " --from " + pasteable(report.run) + metrics +
         " --reason \"...\"";
}

}  // namespace

std::vector<NextStep> next_steps(const Report& report, const CaseReport& of) {
  std::vector<NextStep> steps;
  if (!report.run.empty() && (!of.checks.empty() || of.cause))
    steps.push_back({"look", "gate explain " + pasteable(of.name) + " --run " + pasteable(report.run)});
  if (const std::string accept = accept_command(report, of); !accept.empty())
    steps.push_back({"accept", accept});
  if (const auto log = of.artifacts.find("log"); log != of.artifacts.end())
    steps.push_back({"log", pasteable(log->second)});
  return steps;
}

std::vector<NextStep> next_steps(const Report& report) {
  if (report.command != "run" || report.run.empty()) return {};
  const std::string run = pasteable(report.run);
  std::vector<NextStep> steps;
  if (report.count(Verdict::interrupted) + report.count(Verdict::not_run) > 0)
    steps.push_back({"resume", "gate run --resume " + run});
  if (std::any_of(report.cases.begin(), report.cases.end(), [](const CaseReport& of) { return is_red(of); }))
    steps.push_back({"rerun", "gate run --again " + run});
  return steps;
}

}  // namespace gate::render
