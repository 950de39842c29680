#include "app/run/measured_launch.h"

namespace gate::app {

CaseReport measured_report(const PlannedCase& planned, const LaunchResult& launched,
                           const std::string& today) {
  config::Case without_rules = *planned.spec;
  without_rules.rules.clear();
  without_rules.derivations.clear();
  without_rules.settings.profile = "gate";
  without_rules.settings.shadow.clear();
  CaseReport report =
      judge_case(without_rules, {}, launched.extraction, launched.outcome, planned.placement.platform, today);
  const bool reached = !report.total || report.steps >= *report.total;
  if (report.verdict == Verdict::unjudged && !launched.extraction.series.empty() && reached)
    report.verdict = Verdict::passed;
  report.ungated.clear();
  return report;
}

}  // namespace gate::app
