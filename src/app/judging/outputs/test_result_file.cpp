#include "gate/judging/test_result_file.h"

#include <algorithm>

#include "gate/base/fs.h"

namespace gate::app {

namespace {

bool has_failed_before_test(const CaseReport& report) {
  return std::ranges::none_of(report.stages, [](const StageResult& one) { return one.stage >= Stage::test; });
}

// The output that the result tells of: the first one that was scored.
const OutputResult* told_output(const CaseReport& report) {
  const auto scored =
      std::ranges::find_if(report.outputs, [](const OutputResult& output) { return !output.scores.empty(); });
  if (scored != report.outputs.end()) return &*scored;
  return report.outputs.empty() ? nullptr : &report.outputs.front();
}

// The constant that the score is held against, and how.
std::optional<Bound> constant_of(const config::CaseOutput& output) {
  if (!output.tolerance || !output.tolerance->tolerance) return std::nullopt;
  for (const std::vector<Bound>& all_of : output.tolerance->tolerance->any_of)
    for (const Bound& bound : all_of)
      if (!needs_baseline(Tolerance{{{bound}}})) return bound;
  return std::nullopt;
}

std::optional<schema::AccuracyComparison> judged_comparison(const AccuracyResultInput& input,
                                                            const OutputResult& result) {
  if (result.scores.empty()) return std::nullopt;
  const config::CaseOutput& output = input.spec.settings.outputs.at(result.name);
  const std::optional<Bound> bound = constant_of(output);
  return schema::AccuracyComparison{output.metric, result.scores.front().value,
                                    bound ? bound->amount : Decimal{},
                                    bound ? bound->kind : Bound::Kind::at_least};
}

bool was_compared(const CaseReport& report) {
  return report.verdict == Verdict::passed || report.verdict == Verdict::regressed;
}

}  // namespace

schema::AccuracyResult accuracy_result(const AccuracyResultInput& input) {
  const CaseReport& report = input.report;
  schema::AccuracyResult result;
  if (input.contract) {
    result.baseline_id = input.contract->baseline_id;
    result.test_type = input.contract->model_test_type;
  }
  result.is_comparison = !input.makes_baseline && !input.spec.settings.outputs.empty();
  result.stage = has_failed_before_test(report) ? AccuracyStage::download : AccuracyStage::test;
  if (!input.log.empty()) result.log = input.log;
  const OutputResult* output = told_output(report);
  if (!was_compared(report)) return result;
  result.passed = report.verdict == Verdict::passed;
  if (output == nullptr) return result;
  if (!output->file.empty()) result.output = fs::Path(output->file).filename().string();
  if (result.is_comparison) result.details = judged_comparison(input, *output);
  return result;
}

}  // namespace gate::app
