#include "render/words/case_remarks.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"
#include "gate/words/remarks.h"

namespace gate::render {

namespace {

struct SharedReason {
  Remark reason;
  std::vector<std::string> metrics;
};

void put_reason(std::vector<SharedReason>& reasons, const Ungated& ungated) {
  auto it = std::ranges::find(reasons, ungated.reason, &SharedReason::reason);
  if (it == reasons.end()) it = reasons.insert(reasons.end(), {ungated.reason, {}});
  const std::string& name = ungated.metric.empty() ? ungated.rule : ungated.metric;
  if (std::ranges::find(it->metrics, name) == it->metrics.end()) it->metrics.push_back(name);
}

// Tell whether it is what gate measures without being asked to judge it: no script prints it.
bool is_own_clock(const Ungated& entry) {
  static const MetricTable metrics;
  const Metric* metric = entry.rule.empty() ? metrics.find(entry.metric) : nullptr;
  return metric != nullptr && metric->measured_by == MeasuredBy::gate;
}

std::string located(const std::string& file, std::uint32_t line, const std::string& text, Quotes quotes) {
  if (file.empty()) return text;
  return quote(file + (line == 0 ? "" : ":" + std::to_string(line)), quotes) + ": " + text;
}

}  // namespace

std::vector<std::string> ungated_words(const std::vector<Ungated>& ungated, OwnClocks clocks) {
  std::vector<SharedReason> reasons;
  for (const Ungated& entry : ungated)
    if (!entry.absent && (clocks == OwnClocks::listed || !is_own_clock(entry))) put_reason(reasons, entry);
  return texts_of(reasons, [&](const SharedReason& entry) {
    return join(entry.metrics, ", ") + ": " + words::text(entry.reason);
  });
}

std::vector<std::string> ungated_in_all(const Report& report) {
  std::vector<std::string> shared;
  std::size_t judged = 0;
  for (const CaseReport& one : report.cases) {
    if (one.verdict == Verdict::skipped || one.verdict == Verdict::not_run) continue;
    const std::vector<std::string> words = ungated_words(one.ungated, OwnClocks::left_out);
    if (judged++ == 0) shared = words;
    std::erase_if(shared, [&](const std::string& line) { return std::ranges::count(words, line) == 0; });
  }
  return judged < 2 ? std::vector<std::string>{} : shared;
}

std::vector<std::string> notes_of(const CaseReport& report) {
  return texts_of(report.notes, [&](const Note& note) { return words::text(note); });
}

std::vector<std::string> problem_words(const std::vector<Problem>& problems, Quotes quotes) {
  std::vector<std::string> lines;
  for (const Problem& problem : problems) {
    const bool is_of_log = problem.kind == ProblemKind::message;
    lines.push_back(
        located(problem.file, problem.line, is_of_log ? quote(problem.text, quotes) : problem.text, quotes));
  }
  return lines;
}

std::string cause_words(const KnownMessage& cause, Quotes quotes) {
  const std::string times = cause.count > 1 ? " (" + count_of(cause.count, "time") + ")" : "";
  return located(cause.file, cause.line, quote(cause.text, quotes) + times, quotes);
}

}  // namespace gate::render
