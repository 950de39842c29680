// The report on a terminal: red cases last, next to the prompt.
#include <algorithm>
#include <vector>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/words/common_differences.h"
#include "render/words/head_words.h"
#include "render/words/next_steps.h"
#include "render/words/policy_words.h"
#include "render/words/remarks.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

constexpr std::size_t head_alike = 2;  // cases that differ alike from their baselines' runs
constexpr std::size_t few_cases = 10;  // up to here notes of passed cases are listed, above counted

void put_header(TextPage& page, const Report& report) {
  for (const std::string& line : head_lines(report)) page.wrapped(line, 2);
}

void put_not_red(TextPage& page, const Report& report, Detail detail, const ToldOnce& told) {
  for (const CaseReport& one : report.cases)
    if (one.verdict == Verdict::passed && !one.quarantine)
      put_green(page, one, detail, is_recorded(report, one) ? "recorded" : "passed", told);
  for (const CaseReport& one : report.cases)
    if (one.verdict == Verdict::skipped && !one.quarantine) put_skipped(page, one);
  for (const CaseReport& one : report.cases)
    if (one.quarantine) put_quarantined(page, one, detail, told);
}

// What the tree would change of the policy that judged it.
void put_findings(TextPage& page, const Report& report, Detail detail) {
  constexpr std::size_t most_findings = 40;
  if (!report.policy) return;
  page.wrapped(policy_words(report), 2);
  const std::vector<std::string> lines = finding_lines_of(report);
  const std::size_t shown =
      detail == Detail::everything ? lines.size() : std::min(lines.size(), most_findings);
  for (std::size_t i = 0; i < shown; ++i) page.wrapped("  " + lines[i], 4);
  if (shown < lines.size()) page.wrapped("  and " + std::to_string(lines.size() - shown) + " more", 4);
}

// What was not run says little and comes first.
void put_all_red(TextPage& page, const Report& report, Detail detail, const ToldOnce& told) {
  for (const bool is_run : {false, true})
    for (const CaseReport& one : report.cases) {
      if (!is_red(one) || (one.verdict != Verdict::not_run) != is_run) continue;
      put_red(page, one, detail, told);
      put_next_steps(page, report, one);
    }
}

void put_closing(TextPage& page, const Report& report) {
  const std::string line = closing_line(report);
  const std::size_t word = line.find(' ');
  const TextColor color = report.exit_code == exit_code::ok ? TextColor::green : TextColor::red;
  page.titled(color, line.substr(0, word), line.substr(word + 1));
}

bool would_run(const CaseReport& one) { return one.verdict == Verdict::not_run; }

// When each case is expected to run, as a bar from the first launch to the end of all.
void put_timeline(TextPage& page, const std::vector<TimelineRow>& rows) {
  constexpr std::int64_t bar_width = 24;
  Duration end{};
  for (const TimelineRow& row : rows) end = std::max(end, row.end);
  if (rows.empty() || end == Duration{}) return;
  page.wrapped("timeline, about " + rough(end) + " as long as each case took in the last run:");
  for (const TimelineRow& row : rows) {
    const auto from = static_cast<std::size_t>(row.begin.count() * bar_width / end.count());
    const auto to = std::max(from + 1, static_cast<std::size_t>(row.end.count() * bar_width / end.count()));
    std::string bar(static_cast<std::size_t>(bar_width), '.');
    for (std::size_t i = from; i < std::min(to, bar.size()); ++i) bar[i] = '#';
    page.kept("  " + bar + "  " + row.name + (row.devices.empty() ? "" : "  devices " + row.devices));
  }
}

// What --dry-run prints: nothing has run, and nothing is red but what cannot run.
std::string plan_text(const Report& report, const Style& style) {
  TextPage page(style);
  page.wrapped(header_line(report), 2);
  for (const CaseReport& one : report.cases)
    if (one.verdict == Verdict::skipped) put_skipped(page, one);
  for (const CaseReport& one : report.cases)
    if (would_run(one)) put_planned(page, one);
  for (const CaseReport& one : report.cases)
    if (is_red(one) && !would_run(one)) put_red(page, one, Detail::listed);
  put_timeline(page, report.timeline);
  for (const std::string& note : report.notes) page.wrapped(note, 2);
  put_findings(page, report, Detail::everything);
  page.wrapped(plan_line(report));
  return page.text();
}

// Where nothing is red, few want to know.
bool tells_differences(const Report& report, Detail detail) {
  return detail == Detail::everything || report.command == "diff" ||
         std::ranges::any_of(report.cases, [](const CaseReport& one) { return is_red(one); });
}

std::string text_of_run(const Report& report, const Style& style) {
  TextPage page(style);
  const Detail detail = style.verbose                     ? Detail::everything
                        : report.cases.size() > few_cases ? Detail::counted
                                                          : Detail::listed;
  if (!style.quiet) put_header(page, report);
  ToldOnce told;
  if (!style.quiet && detail != Detail::everything) told.ungated = ungated_in_all(report);
  if (tells_differences(report, detail))
    told.differs = common_differences(report, report.command == "diff" ? 1 : head_alike);
  if (!style.quiet) put_not_red(page, report, detail, told);
  if (!style.quiet)
    for (const std::string& line : triage_lines(judge::triage(report.cases))) page.wrapped(line, 2);
  if (const std::string line = differences_line(report, told.differs); !line.empty()) page.wrapped(line, 2);
  put_all_red(page, report, detail, told);
  for (const std::string& line : told.ungated) page.wrapped("ungated in all cases  " + line, 2);
  for (const std::string& note : report.notes) page.wrapped(note, 2);
  put_findings(page, report, detail);
  for (const NextStep& step : next_steps(report)) page.command(pad(step.word, 8), step.text);
  put_closing(page, report);
  return page.text();
}

}  // namespace

std::string text(const Report& report, const Style& style) {
  return report.command == "plan" ? plan_text(report, style) : text_of_run(report, style);
}

}  // namespace gate::render
