// The report on a terminal: red cases last, next to the prompt.
#include <vector>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/words/columns.h"
#include "render/words/common_shift.h"
#include "render/words/next_steps.h"
#include "render/words/remarks.h"
#include "render/words/shadow.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t few_cases =
    10;  // up to here notes of passed cases are listed, above it they are counted

Detail detail_of(const Report& report, const Style& style) {
  if (style.verbose) return Detail::everything;
  return report.cases.size() > few_cases ? Detail::counted : Detail::listed;
}

void put_header(TextPage& page, const Report& report) {
  page.wrapped(header_line(report), 2);
  if (report.cases.empty()) return;
  const std::string cases = count_of(static_cast<std::int64_t>(report.cases.size()), "case");
  if (report.command != "check") page.wrapped(cases + ", " + spent_words(report) + ": " + totals(report), 2);
  if (const std::string shadow = shadow_words(report); !shadow.empty()) page.wrapped(shadow, 2);
}

void put_not_red(TextPage& page, const Report& report, Detail detail, const Told& told) {
  for (const CaseReport& of : report.cases)
    if (of.verdict == Verdict::passed)
      put_green(page, of, detail, report.command == "record" ? "recorded" : "passed", told);
  for (const CaseReport& of : report.cases)
    if (of.verdict == Verdict::skipped) put_skipped(page, of);
}

void put_with_steps(TextPage& page, const Report& report, const CaseReport& of, Detail detail,
                    const Told& told) {
  put_red(page, of, detail, told);
  put_next_steps(page, report, of);
}

// What was not run says little and comes first.
void put_all_red(TextPage& page, const Report& report, Detail detail, const Told& told) {
  for (const CaseReport& of : report.cases)
    if (of.verdict == Verdict::not_run) put_with_steps(page, report, of, detail, told);
  for (const CaseReport& of : report.cases)
    if (is_red(of) && of.verdict != Verdict::not_run) put_with_steps(page, report, of, detail, told);
}

void put_closing(TextPage& page, const Report& report) {
  const std::string line = closing_line(report);
  const std::size_t word = line.find(' ');
  const TextColor hue = report.exit_code == exit_code::ok ? TextColor::green : TextColor::red;
  page.titled(hue, line.substr(0, word), line.substr(word + 1));
}

bool would_run(const CaseReport& of) { return of.verdict == Verdict::not_run; }

// When each case is expected to run, as a bar from the first launch to the end of all.
void put_timeline(TextPage& page, const std::vector<TimelineRow>& turns) {
  constexpr std::int64_t bar_width = 24;
  Duration end{};
  for (const TimelineRow& turn : turns) end = std::max(end, turn.end);
  if (turns.empty() || end == Duration{}) return;
  page.wrapped("timeline, about " + rough(end) + " as long as each case took in the last run:");
  for (const TimelineRow& turn : turns) {
    const auto from = static_cast<std::size_t>(turn.begin.count() * bar_width / end.count());
    const auto to = std::max(from + 1, static_cast<std::size_t>(turn.end.count() * bar_width / end.count()));
    std::string bar(static_cast<std::size_t>(bar_width), '.');
    std::fill(bar.begin() + static_cast<std::ptrdiff_t>(from),
              bar.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(to, bar.size())), '#');
    page.kept("  " + bar + "  " + turn.name + (turn.devices.empty() ? "" : "  devices " + turn.devices));
  }
}

// What --dry-run prints: nothing has run, and nothing is red but what cannot run.
std::string plan_text(const Report& report, const Style& style) {
  TextPage page(style);
  page.wrapped(header_line(report), 2);
  for (const CaseReport& of : report.cases)
    if (of.verdict == Verdict::skipped) put_skipped(page, of);
  for (const CaseReport& of : report.cases)
    if (would_run(of)) put_planned(page, of);
  for (const CaseReport& of : report.cases)
    if (is_red(of) && !would_run(of)) put_red(page, of, Detail::listed);
  put_timeline(page, report.timeline);
  for (const std::string& note : report.notes) page.wrapped(note, 2);
  page.wrapped(plan_line(report));
  return page.text();
}

std::string text_of_run(const Report& report, const Style& style) {
  TextPage page(style);
  const Detail detail = detail_of(report, style);
  if (!style.quiet) put_header(page, report);
  const Told told = style.quiet || detail == Detail::everything ? Told{} : ungated_in_all(report);
  if (!style.quiet) put_not_red(page, report, detail, told);
  put_all_red(page, report, detail, told);
  for (const std::string& line : told) page.wrapped("ungated in all cases  " + line, 2);
  for (const std::string& line : moved_alike(report)) page.wrapped(line, 2);
  for (const std::string& note : report.notes) page.wrapped(note, 2);
  for (const NextStep& step : next_steps(report)) page.command(pad(step.word, 8), step.text);
  put_closing(page, report);
  return page.text();
}

}  // namespace

std::string text(const Report& report, const Style& style) {
  return report.command == "plan" ? plan_text(report, style) : text_of_run(report, style);
}

}  // namespace gate::render
