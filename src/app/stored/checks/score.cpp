#include "gate/stored/score.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/case_outputs.h"

namespace gate::app {

CaseReport score_report(const config::CaseOutput& output) {
  config::Case spec;
  spec.name = output.file;
  spec.settings.outputs.emplace("", output);
  if (output.tolerance) config::add_outputs(spec.settings.outputs, spec.metrics, spec.rules);
  Extraction run;
  add_outputs(run, spec, {{"", output.file, ""}}, {});
  if (output.tolerance) return judge_case(spec, {}, run, std::nullopt, "", "");
  CaseReport report;
  report.name = spec.name;
  report.outputs = run.outputs;
  const OutputResult& result = run.outputs.front();
  report.verdict = result.missing.empty() ? Verdict::unjudged : Verdict::incomplete;
  report.reason = !result.missing.empty()    ? result.missing
                  : !result.unjudged.empty() ? result.unjudged
                                             : Sentence("no tolerance", "没有容差");
  return report;
}

int exit_code_of_score(const config::CaseOutput& output, const CaseReport& report) {
  const OutputResult& result = report.outputs.front();
  const bool is_scored = result.missing.empty() && result.unjudged.empty();
  return !output.tolerance && is_scored ? exit_code::ok : row(report.verdict).exit_code;
}

}  // namespace gate::app
