#include "render/words/case_remarks.h"

#include <algorithm>
#include <array>
#include <map>

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

std::vector<const CaseReport*> cases_that_ran(const Report& report) {
  std::vector<const CaseReport*> ran;
  for (const CaseReport& one : report.cases)
    if (one.verdict != Verdict::skipped && one.verdict != Verdict::not_run) ran.push_back(&one);
  return ran;
}

// Tell whether the note follows from the case's rules and baseline, and so stands there every night.
bool is_standing(const Note& note) {
  using namespace remark;
  static constexpr std::array plain{Plain::bit_equal, Plain::only_exit, Plain::only_tests,
                                    Plain::times_side_by_side, Plain::steps_assumed};
  if (const Plain* said = std::get_if<Plain>(&note.remark)) return std::ranges::count(plain, *said) > 0;
  return std::holds_alternative<NotJudged>(note.remark) || std::holds_alternative<ByMode>(note.remark);
}

Sentence located(const std::string& file, std::uint32_t line, const Sentence& text) {
  if (file.empty()) return text;
  return as_is(file + (line == 0 ? "" : ":" + std::to_string(line)) + ": ") + text;
}

}  // namespace

std::vector<Sentence> ungated_words(const std::vector<Ungated>& ungated, OwnClocks clocks) {
  std::vector<SharedReason> reasons;
  for (const Ungated& entry : ungated)
    if (!entry.absent && (clocks == OwnClocks::listed || !is_own_clock(entry))) put_reason(reasons, entry);
  std::vector<Sentence> words;
  for (const SharedReason& entry : reasons)
    words.push_back(as_is(join(entry.metrics, ", ")) + colon + words::text(entry.reason));
  return words;
}

std::vector<Ungated> ungated_in_all(const Report& report) {
  const std::vector<const CaseReport*> cases = cases_that_ran(report);
  if (cases.size() < 2) return {};
  std::vector<Ungated> shared = cases.front()->ungated;
  std::erase_if(shared, [&](const Ungated& entry) {
    return entry.absent || is_own_clock(entry) || !std::ranges::all_of(cases, [&](const CaseReport* one) {
             return std::ranges::find(one->ungated, entry) != one->ungated.end();
           });
  });
  return shared;
}

bool stands(const Ungated& entry) {
  const remark::Plain* said = std::get_if<remark::Plain>(&entry.reason);
  return std::holds_alternative<remark::GatedInstead>(entry.reason) ||
         (said != nullptr && (*said == remark::Plain::no_rule || *said == remark::Plain::not_in_baseline));
}

std::vector<Sentence> standing_notes(const Report& report) {
  const std::vector<const CaseReport*> cases = cases_that_ran(report);
  if (cases.size() < 2) return {};
  std::map<std::string, Sentence> notes;
  for (const CaseReport* one : cases)
    for (const Note& note : one->notes)
      if (is_standing(note)) notes.emplace(words::text(note).english(), words::text(note));
  std::vector<Sentence> all;
  for (const auto& [english, note] : notes) all.push_back(note);
  return all;
}

std::vector<Sentence> notes_of(const CaseReport& report) {
  std::vector<Sentence> notes;
  for (const Note& note : report.notes) notes.push_back(words::text(note));
  return notes;
}

std::vector<Sentence> problem_words(const std::vector<Problem>& problems) {
  std::vector<Sentence> lines;
  for (const Problem& problem : problems) lines.push_back(located(problem.file, problem.line, problem.text));
  return lines;
}

Sentence cause_words(const KnownMessage& cause) {
  Sentence text = as_is(cause.text);
  if (cause.count > 1) text += say({" ({})", "（{}）"}, count_of(cause.count, "time", "次"));
  return located(cause.file, cause.line, text);
}

bool has_telling_end(const CaseReport& one) {
  return one.outcome && !is_held_back(one) &&
         (!ended_well(*one.outcome) || one.verdict == Verdict::incomplete);
}

Sentence end_beside(const CaseReport& one) {
  const bool is_beside =
      one.reason.empty() || one.verdict == Verdict::regressed || one.verdict == Verdict::incomplete;
  return is_beside && has_telling_end(one) ? text(*one.outcome) : Sentence();
}

}  // namespace gate::render
