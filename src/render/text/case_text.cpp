#include "render/text/case_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gate/base/text.h"
#include "gate/words/remarks.h"
#include "render/text/passed_summary.h"
#include "render/words/check_words.h"
#include "render/words/columns.h"
#include "render/words/fold.h"
#include "render/words/green_since.h"
#include "render/words/next_steps.h"
#include "render/words/remarks.h"
#include "render/words/shadow.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t shown_checks = 12;
constexpr std::size_t shown_problems = 8;
constexpr std::size_t shown_remarks = 6;
constexpr int label_width = 9;

std::size_t shown_lines(std::size_t limit, Detail detail) {
  return detail == Detail::everything ? std::string::npos : limit;
}

// `after step 7 of 15` where it is short of what was demanded, else `30 steps`.
std::string progress(const CaseReport& of) {
  const bool launched = of.outcome && !std::holds_alternative<NotStarted>(*of.outcome);
  if (of.steps == 0) return launched ? "before its first step" : "";
  if (!of.total || of.steps >= *of.total) return count_of(of.steps, "step");
  return "after step " + std::to_string(of.steps) + " of " + std::to_string(*of.total);
}

std::string title_of(const CaseReport& of) {
  std::string title = of.name;
  const std::string owner = of.owner.empty() ? "" : "owner " + of.owner;
  for (const std::string& part : {owner, since_words(of), progress(of), took(of)})
    if (!part.empty()) title += "  " + part;
  return title;
}

void put_list(TextPage& page, std::string_view label, const std::vector<std::string>& lines,
              std::size_t limit) {
  const std::string start = "  " + pad(label, label_width);
  const int hang = columns(start);
  for (std::size_t i = 0; i < lines.size() && i < limit; ++i) page.wrapped(start + lines[i], hang);
  if (lines.size() > limit)
    page.wrapped(start + "and " + std::to_string(lines.size() - limit) + " more", hang);
}

void put_checks(TextPage& page, const CaseReport& of, Detail detail) {
  std::size_t rows = 0;
  for (const Fold& folded : fold(of.checks)) {
    if (folded.first->status == CheckStatus::pass && detail != Detail::everything) continue;
    if (++rows > shown_lines(shown_checks, detail)) continue;
    page.wrapped("  " + headline(folded), 4);
    for (const std::string& line : details(folded)) page.wrapped("    " + line, 4 + label_width);
  }
  if (rows > shown_lines(shown_checks, detail))
    page.wrapped("  and " + count_of(static_cast<std::int64_t>(rows - shown_checks), "check") + " more");
}

// Tell whether a check that is shown already says what the note `lm_loss: steps 16-30 not judged` says.
bool is_told(const CaseReport& of, const Note& note, Detail detail) {
  if (note.subjects.empty()) return false;
  const std::string remark = words::text(note.remark, note.numbered);
  return std::any_of(of.checks.begin(), of.checks.end(), [&](const Check& check) {
    const bool shown = check.status != CheckStatus::pass || detail == Detail::everything;
    return shown && note.subjects.front().name == check.metric &&
           words::note_text(check).find(remark) != std::string::npos;
  });
}

std::vector<std::string> untold_notes(const CaseReport& of, Detail detail) {
  std::vector<std::string> notes;
  for (const Note& note : of.notes)
    if (!is_told(of, note, detail)) notes.push_back(words::text(note));
  return notes;
}

void put_remarks(TextPage& page, const CaseReport& of, Detail detail, const Told& told) {
  put_list(page, "note", untold_notes(of, detail), shown_lines(shown_remarks, detail));
  std::vector<std::string> ungated =
      ungated_words(of.ungated, detail == Detail::everything ? OwnClocks::listed : OwnClocks::left_out);
  std::erase_if(ungated, [&](const std::string& line) { return std::ranges::count(told, line) > 0; });
  put_list(page, "ungated", ungated, shown_lines(shown_remarks, detail));
}

bool has_failed_check(const CaseReport& of) {
  return std::any_of(of.checks.begin(), of.checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::fail; });
}

// A regression is told by its checks; what else there is to say is how the script ended, if not well, or well
// and too early.
void put_why(TextPage& page, const CaseReport& of) {
  const bool told = of.verdict == Verdict::regressed && has_failed_check(of);
  const std::string reason = told ? "" : of.reason;
  if (!reason.empty()) page.wrapped("  " + reason, 4);
  const bool too_early = of.verdict == Verdict::incomplete;
  if (!of.outcome || (ended_well(*of.outcome) && !too_early)) return;
  const std::string outcome = to_string(*of.outcome);
  if (reason.find(outcome) == std::string::npos) page.wrapped("  " + outcome, 4);
  if (!of.last_words.empty() && !of.cause) put_list(page, "log ends", {printable(of.last_words, 120)}, 1);
  if (of.device_time_saved) page.wrapped("  stopped early: " + saved_words(*of.device_time_saved), 4);
}

void put_shadow(TextPage& page, const CaseReport& of) {
  if (const std::string words = shadow_words(of); !words.empty()) put_list(page, "shadow", {words}, 1);
}

void put_cause(TextPage& page, const CaseReport& of) {
  if (!of.cause) return;
  put_list(page, "cause", {cause_words(*of.cause)}, 1);
  put_list(page, "advice", {of.cause->advice}, 1);
}

// What was compared, and how much there is to say that is not listed below it.
std::string green_words(const CaseReport& of, Detail detail) {
  std::vector<std::string> words;
  const auto add = [&](std::size_t count, std::string_view noun) {
    if (count > 0) words.push_back(count_of(static_cast<std::int64_t>(count), noun));
  };
  if (const std::string compared = compared_words(of); !compared.empty()) words.push_back(compared);
  if (is_waived(of)) words.emplace_back("waived");
  if (detail == Detail::counted) add(of.notes.size(), "note");
  if (detail == Detail::counted) add(of.problems.size(), "problem");
  return join(words, ", ");
}

}  // namespace

std::string took(const CaseReport& of) { return of.duration.count() > 0 ? rough(of.duration) : ""; }

void put_green(TextPage& page, const CaseReport& of, Detail detail, std::string_view word, const Told& told) {
  page.one_line(TextColor::green, word, of.name + "  " + green_words(of, detail), took(of));
  put_shadow(page, of);
  put_checks(page, of, detail);
  if (detail != Detail::counted) put_remarks(page, of, detail, told);
  if (detail != Detail::counted)
    put_list(page, "problem", problem_words(of.problems), shown_lines(shown_problems, detail));
}

void put_planned(TextPage& page, const CaseReport& of) {
  std::vector<std::string> words{of.devices};
  if (of.total) words.push_back(count_of(*of.total, "step"));
  for (const BaselineUsed& baseline : of.baselines) words.push_back(baseline.path);
  if (of.baselines.empty()) words.emplace_back("no baseline");
  page.wrapped("would run " + of.name + "  " + join(words, ", "), 2);
}

void put_skipped(TextPage& page, const CaseReport& of) {
  page.titled(TextColor::yellow, "skipped", of.name + (of.reason.empty() ? "" : "  " + of.reason));
}

void put_red(TextPage& page, const CaseReport& of, Detail detail, const Told& told) {
  page.titled(TextColor::red, upper(to_string(of.verdict)), title_of(of));
  put_why(page, of);
  put_shadow(page, of);
  put_cause(page, of);
  put_checks(page, of, detail);
  const std::string ok = detail == Detail::everything ? "" : compared_words(of);
  if (!ok.empty()) put_list(page, "passed", {ok}, 1);
  put_list(page, "problem", problem_words(of.problems), shown_lines(shown_problems, detail));
  put_remarks(page, of, detail, told);
  if (!of.differs.empty())
    put_list(page, "differs", {"from the baseline's run: " + join(of.differs, ", ")}, 1);
}

void put_next_steps(TextPage& page, const Report& run, const CaseReport& of) {
  for (const NextStep& step : next_steps(run, of))
    page.command("  " + pad(step.word, label_width), step.text);
}

}  // namespace gate::render
