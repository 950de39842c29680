#include "worker/test_files.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/model/rules/rule.h"
#include "gate/schema/accuracy_result.h"
#include "gate/schema/result_file.h"
#include "gate/schema/stages_file.h"

namespace gate::worker {

namespace {

constexpr std::size_t longest_reason = 500, largest_file = std::size_t{64} << 20;

std::optional<schema::StagesFile> stages_in(const TryFolder& folder) {
  const fs::Path file = folder.stages / "stages.json";
  const Result<std::string> text = fs::read_regular(file, largest_file);
  if (!text) return std::nullopt;
  Result<schema::StagesFile> stages = schema::read_stages(*text, file.string());
  return stages ? std::optional(*std::move(stages)) : std::nullopt;
}

std::optional<Report> report_in(const TryFolder& folder) {
  const Result<std::string> text = fs::read_regular(folder.report(), largest_file);
  if (!text) return std::nullopt;
  Result<Report> report = schema::read_result(*text, folder.report().string());
  return report ? std::optional(*std::move(report)) : std::nullopt;
}

std::optional<schema::AccuracyResult> result_in(const TryFolder& folder) {
  const fs::Path file = folder.stages / schema::accuracy_result_names.front();
  const Result<std::string> text = fs::read_regular(file, largest_file);
  if (!text) return std::nullopt;
  Result<schema::AccuracyResult> result = schema::read_accuracy_result(*text, file.string());
  return result ? std::optional(*std::move(result)) : std::nullopt;
}

std::string reason_in(const std::optional<Report>& report, const TryFolder& folder) {
  if (report && !report->cases.empty() && !report->cases.front().reason.empty())
    return in_one_line(report->cases.front().reason.english());
  return std::string(last_line(fs::read_regular(folder.output(), largest_file).value_or("")));
}

bool has_passed(const std::optional<Report>& report) {
  return report && report->exit_code == exit_code::ok && !report->cases.empty() &&
         std::ranges::all_of(report->cases,
                             [](const CaseReport& one) { return one.verdict == Verdict::passed; });
}

bool was_stopped_by_somebody(const Report& report) {
  for (const CaseReport& one : report.cases)
    if (const auto* stopped = one.outcome ? std::get_if<Interrupted>(&*one.outcome) : nullptr)
      return !stopped->by.empty();
  return false;
}

HubResult result_of(const TryFolder& folder, const std::optional<schema::AccuracyResult>& said) {
  HubResult result;
  if (const auto stages = stages_in(folder)) {
    const StageResult* upload = stages->find(Stage::upload);
    result.is_uploaded = upload != nullptr && !upload->has_failed();
  }
  if (!said) return result;
  result.passed = said->passed;
  result.output = said->output.value_or("");
  result.log = said->log.value_or("");
  if (said->details) {
    result.metric = wire_metric_name(said->details->metric);
    result.value = said->details->value;
    result.threshold =
        std::string(comparison_sign(said->details->comparison)) + " " + said->details->threshold.to_string();
  }
  return result;
}

EndKind kind_of_end(int code, const std::optional<Report>& report,
                    const std::optional<schema::AccuracyResult>& said) {
  constexpr int by_signal = 128;
  if (code == exit_code::ok) return has_passed(report) ? EndKind::passed : EndKind::failed;
  if (code > by_signal)
    return report && was_stopped_by_somebody(*report) ? EndKind::stopped : EndKind::vanished;
  if (said) return said->stage == AccuracyStage::download ? EndKind::download_failed : EndKind::failed;
  return code == exit_code::usage ? EndKind::download_failed : EndKind::failed;
}

}  // namespace

TestProgress progress_of(const TryFolder& folder) {
  const auto stages = stages_in(folder);
  if (!stages) return {};
  const StageResult* download = stages->find(Stage::download);
  const bool has_begun = stages->find(Stage::test) != nullptr;
  return {has_begun || (download != nullptr && !download->has_failed()), has_begun};
}

End end_of(const TryFolder& folder, std::optional<int> exit_code) {
  const std::optional<Report> report = report_in(folder);
  const std::optional<schema::AccuracyResult> said = result_in(folder);
  End end{EndKind::vanished, result_of(folder, said)};
  if (report && !exit_code && !report->finished.empty()) exit_code = report->exit_code;
  if (exit_code) end.kind = kind_of_end(*exit_code, report, said);
  if (exit_code == exit_code::ok && end.kind != EndKind::passed) {
    end.result.reason = "gate ended with 0, and its report says nothing of a test that passed";
    end.result.passed.reset();
    return end;
  }
  if (end.kind != EndKind::passed && end.result.passed.value_or(false)) {  // gate's own word counts
    end.result.passed.reset();
    end.result.value.reset();
  }
  if (end.kind != EndKind::passed) end.result.reason = printable(reason_in(report, folder), longest_reason);
  return end;
}

}  // namespace gate::worker
