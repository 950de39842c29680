#include "worker/test_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gate/base/text.h"
#include "gate/model/rules/rule.h"
#include "gate/schema/accuracy_result.h"
#include "gate/schema/result_file.h"
#include "gate/schema/stages_file.h"

namespace gate::worker {

namespace {

constexpr std::size_t longest_reason = 500, largest_file = std::size_t{64} << 20;

// What the files of a try say, as far as they are there.
struct TryFiles {
  std::optional<schema::StagesFile> stages;
  std::optional<Report> report;
  std::optional<schema::AccuracyResult> said;
  std::string unread;  // why one that is there cannot be read now
};

// Tell whether it is a file that this program would read.
bool is_there(const fs::Path& file) {
  std::error_code error;
  return std::filesystem::symlink_status(file, error).type() == std::filesystem::file_type::regular &&
         std::filesystem::file_size(file, error) <= largest_file;
}

template <class Read>
auto content_of(const fs::Path& file, Read read, std::string& unread) {
  using Content = std::remove_cvref_t<decltype(*read(std::string(), std::string()))>;
  const Result<std::string> text = fs::read_regular(file, largest_file);
  if (!text && is_there(file)) unread = text.error().message;
  if (!text) return std::optional<Content>();
  auto content = read(*text, file.string());
  return content ? std::optional(*std::move(content)) : std::optional<Content>();
}

TryFiles files_in(const TryFolder& folder) {
  TryFiles files;
  files.stages = content_of(folder.stages / "stages.json", schema::read_stages, files.unread);
  files.report = content_of(folder.report(), schema::read_result, files.unread);
  files.said = content_of(folder.stages / schema::accuracy_result_names.front(), schema::read_accuracy_result,
                          files.unread);
  return files;
}

// What a log says of why the script failed, where gate knows no message of it: the last line with an error,
// else the last one.
std::string last_words_of(const CaseReport& one, const TryFolder& folder) {
  const bool has_exited = one.outcome && std::holds_alternative<Exited>(*one.outcome);
  if (!has_exited || one.has_ended_well() || one.cause) return "";
  const std::string log = fs::read_regular(folder.stages / "execution.log", largest_file).value_or("");
  std::string_view last, error;
  for (const std::string_view line : split(log, '\n')) {
    const std::string_view words = trim(line);
    if (words.empty()) continue;
    last = words;
    if (to_lower(words.substr(0, longest_reason)).find("error") != std::string::npos) error = words;
  }
  if (error.empty()) error = last;
  return error.empty() ? "" : ": " + printable(error, longest_reason / 2);
}

// The value of an output that is no number, where one is the reason that a score is none.
std::string odd_value_of(const CaseReport& one) {
  constexpr std::array<std::string_view, 4> odd{"nan", "-nan", "inf", "-inf"};
  for (const OutputResult& output : one.outputs)
    for (const OutputScore& score : output.scores)
      for (const auto& pair : {score.worst, score.first})
        if (pair && !(score.value && std::isfinite(*score.value)) &&
            std::ranges::find(odd, pair->actual) != odd.end())
          return "; value " + std::to_string(pair->number) + " is " + pair->actual +
                 ", and in the golden file " + printable(pair->golden, 40);
  return "";
}

// Of what failed behind the script, too: the test may be red by itself.
std::string reason_in(const std::optional<Report>& report, const TryFolder& folder) {
  if (report && !report->cases.empty() && !report->cases.front().reason.empty()) {
    const CaseReport& one = report->cases.front();
    std::string reason = in_one_line(one.reason.english()) + last_words_of(one, folder) + odd_value_of(one);
    for (const StageResult& stage : one.stages) {
      const bool is_behind = stage.stage == Stage::report || stage.stage == Stage::upload;
      const std::string problem = in_one_line(stage.problem.english());
      if (is_behind && stage.has_failed() && reason.find(problem) == std::string::npos)
        reason = printable(reason, longest_reason / 2) + "; " + problem;
    }
    return reason;
  }
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

bool is_before_script(Stage stage) { return stage == Stage::init || stage == Stage::download; }

// What gate wrote, and the script may have: a name, or nothing.
std::string job_in(const TryFolder& folder) {
  constexpr std::size_t longest = 253;
  const std::string job(trim(fs::read_regular(folder.stages / "job_id", 2 * longest).value_or("")));
  const auto may_stand = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_'; };
  return job.size() <= longest && std::ranges::all_of(job, may_stand) ? job : "";
}

// The log of the stage that ended last, where the test has none.
std::string log_of(const TryFiles& files) {
  if (files.said && files.said->log) return *files.said->log;
  if (!files.stages) return "";
  std::string log;
  for (const StageResult& stage : files.stages->stages)
    if (is_before_script(stage.stage) && !stage.log.empty()) log = fs::name_of(stage.log);
  return log;
}

// What gate has to say of a test that passed: that it ran on something else than was asked for, or nobody
// knows on what; and of its log the first message that tells of a failure.
std::string finding_of(const std::optional<Report>& report) {
  if (!report || report->cases.empty()) return "";
  std::vector<std::string> findings;
  bool has_message = false;
  for (const Problem& problem : report->cases.front().problems) {
    const std::string text = in_one_line(problem.text.english());
    if (problem.kind == ProblemKind::other && problem.file.empty()) findings.push_back(text);
    if (problem.kind == ProblemKind::message && !std::exchange(has_message, true))
      findings.push_back("it ended well, and its log says: " + text);
  }
  return join(findings, "; ");
}

HubResult result_of(const TryFiles& files) {
  HubResult result;
  const StageResult* upload = files.stages ? files.stages->find(Stage::upload) : nullptr;
  result.is_uploaded = upload != nullptr && !upload->has_failed();
  result.log = log_of(files);
  if (files.report && !files.report->cases.empty()) {
    const auto& artifacts = files.report->cases.front().artifacts;
    if (const auto made = artifacts.find("new_baseline"); made != artifacts.end())
      result.baseline = made->second;
  }
  if (!files.said) return result;
  const schema::AccuracyResult& said = *files.said;
  result.output = said.output.value_or("");
  if (said.details) {  // the hub asks whether a comparison passed: of a test of usability there is none
    result.passed = said.passed;
    result.metric = wire_metric_name(said.details->metric);
    result.value = said.details->value;
    result.threshold =
        std::string(comparison_sign(said.details->comparison)) + " " + said.details->threshold.to_string();
  }
  return result;
}

// Return what the test came to that did not come to its script: gate would not begin it, or a stage failed.
std::optional<TestEvent> end_before_script(const TryFiles& files) {
  const CaseReport* one =
      files.report && !files.report->cases.empty() ? &files.report->cases.front() : nullptr;
  const bool is_unjudged = one != nullptr && one->verdict == Verdict::unjudged;
  const bool is_skipped = one != nullptr && one->verdict == Verdict::skipped;
  if (!files.said && (is_unjudged || is_skipped) && !one->outcome) return TestEvent::refused;
  if (!files.said || files.said->stage != AccuracyStage::download) return std::nullopt;
  const bool has_failed =
      files.stages && std::ranges::any_of(files.stages->stages, [](const StageResult& stage) {
        return is_before_script(stage.stage) && stage.has_failed();
      });
  const bool is_unbegun = is_unjudged || (one != nullptr && one->verdict == Verdict::infra);
  return is_unbegun && !has_failed ? TestEvent::refused : TestEvent::download_failed;
}

bool has_begun(const TryFiles& files) { return files.report || files.stages; }

// A report that could not be written is missing, or an earlier one, which says that nothing is done.
bool is_last_word(const std::optional<Report>& report, int code) {
  return report && report->exit_code == code && !report->finished.empty() && !report->cases.empty();
}

bool is_own_failure(const std::optional<Outcome>& outcome) {
  return outcome && std::holds_alternative<GateFailed>(*outcome);
}

// Tell whether a gate that ended with 125 had trouble that any other case would have had: it could not begin,
// or start what is nothing of the case's; its disk was full.
bool is_trouble_of_host(const CaseReport& one) {
  if (one.stages.empty() && !one.outcome) return true;
  const auto could_not_start = [](const StageResult& stage) {
    return is_own_failure(stage.outcome) ||
           (stage.stage != Stage::test && std::holds_alternative<NotStarted>(stage.outcome));
  };
  return is_own_failure(one.outcome) || std::ranges::any_of(one.stages, could_not_start);
}

bool blames_the_host(const CaseReport& one) {
  return one.cause && (one.cause->kind == MessageClass::infra || one.cause->name == "no_space");
}

// Tell whether the script ended well, and what came behind it failed: report, upload, a baseline's place.
bool is_unsent(const CaseReport& one) {
  return one.verdict == Verdict::infra && one.has_ended_well() && !blames_the_host(one);
}

EndKind kind_of_end(int code, const TryFiles& files) {
  constexpr int by_signal = 128;
  if (code > by_signal && !has_begun(files)) return EndKind::trouble;
  if (code > by_signal)
    return files.report && was_stopped_by_somebody(*files.report) ? EndKind::stopped : EndKind::vanished;
  if (code == exit_code::usage && !files.said) return EndKind::refused;
  if (!is_last_word(files.report, code)) return EndKind::trouble;
  if (code == exit_code::ok) return has_passed(files.report) ? EndKind::passed : EndKind::failed;
  const CaseReport& one = files.report->cases.front();
  if (code == exit_code::infra && is_unsent(one)) return EndKind::unsent;
  if (code == exit_code::infra && is_trouble_of_host(one)) return EndKind::trouble;
  return code == exit_code::infra || blames_the_host(one) ? EndKind::unready : EndKind::failed;
}

}  // namespace

TestProgress progress_of(const TryFolder& folder) {
  std::string unread;
  const auto stages = content_of(folder.stages / "stages.json", schema::read_stages, unread);
  if (!stages) return {.job = job_in(folder)};
  const StageResult* download = stages->find(Stage::download);
  const bool has_begun = stages->find(Stage::test) != nullptr;
  return {has_begun || (download != nullptr && !download->has_failed()), has_begun, job_in(folder)};
}

End end_by(EndKind kind, const std::string& why) {
  End end;
  end.kind = kind;
  end.result.reason = why;
  return end;
}

End end_of(const TryFolder& folder, std::optional<int> exit_code) {
  const TryFiles files = files_in(folder);
  if (!files.unread.empty()) return end_by(EndKind::unread, files.unread);
  if (files.report && !exit_code && !files.report->finished.empty()) exit_code = files.report->exit_code;
  End end{has_begun(files) ? EndKind::vanished : EndKind::trouble, result_of(files)};
  if (exit_code) end.kind = kind_of_end(*exit_code, files);
  end.before_script = end_before_script(files);
  if (exit_code == exit_code::ok && end.kind != EndKind::passed) {
    end.result.reason = "gate ended with 0, and its report says nothing of a test that passed";
    end.result.passed.reset();
    return end;
  }
  const bool may_have_passed = end.kind == EndKind::passed || end.kind == EndKind::unsent;
  if (!may_have_passed && end.result.passed.value_or(false)) {  // gate's own word counts
    end.result.passed.reset();
    end.result.value.reset();
  }
  end.result.job = job_in(folder);
  if (end.kind == EndKind::passed) end.result.reason = printable(finding_of(files.report), longest_reason);
  if (end.kind != EndKind::passed)
    end.result.reason = printable(reason_in(files.report, folder), longest_reason);
  if (end.result.reason.empty() && !has_begun(files))
    end.result.reason = "its gate has ended before it began the case";
  return end;
}

}  // namespace gate::worker
