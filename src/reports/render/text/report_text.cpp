// The report on a terminal: red cases last, next to the prompt.
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/text/case_text.h"
#include "render/words/case_remarks.h"
#include "render/words/head_words.h"
#include "render/words/next_steps.h"
#include "render/words/part_words.h"
#include "render/words/red_cases.h"
#include "render/words/shared_lines.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"
#include "render/words/triage_words.h"

namespace gate::render {

namespace {

constexpr std::size_t few_red = 2;     // up to here a screen holds what is told of them
constexpr std::size_t few_cases = 10;  // up to here passed cases are listed, above counted

void put_header(TextPage& page, const Report& report, Detail detail) {
  for (const Sentence& line : head_lines(report)) page.wrapped(line, 2);
  const DeviceUse use = device_use_of(report);
  if (detail == Detail::everything || use.hung + use.infra > Duration{})
    page.wrapped(device_use_words(use), 2);
}

Sentence green_word(bool is_recorded) {
  return is_recorded ? say({"recorded", "已录制"}) : words::verdict_text(Verdict::passed);
}

// Many passed cases are counted, but for those with more to say.
void put_passed(TextPage& page, const Report& report, Detail detail, const ToldOnce& told) {
  std::vector<std::string> labels;
  std::map<std::string, int> cases_with;
  int counted = 0;
  const Sentence word = green_word(report.command == "record");
  for (const CaseReport* each : cases_by_name(report)) {
    const CaseReport& one = *each;
    if (one.verdict != Verdict::passed || one.quarantine) continue;
    const Sentence own = green_word(is_recorded(report, one));
    if (detail != Detail::counted || !(own == word) || has_more_to_say(one)) {
      put_green(page, one, detail, own, told);
      continue;
    }
    ++counted;
    for (const std::string& label : passed_labels(one))
      if (cases_with[label]++ == 0) labels.push_back(label);
  }
  if (counted == 0) return;
  std::vector<Sentence> words;
  for (const std::string& label : labels)
    words.push_back(say({"{} in {}", "{} {} 个"}, label, cases_with[label]));
  page.titled(TextColor::green, word,
              join(std::array{count_of(counted, "case", "个用例"), join(words, comma)}, column) +
                  say({"   each: {}", "   逐个查看：{}"}, where_all_is(report)));
}

std::vector<SharedLine> by_reason(const Report& report,
                                  const std::function<bool(const CaseReport&)>& is_one) {
  return shared_lines(report, 1, [&](const CaseReport& one) {
    return is_one(one) ? std::vector{one.reason} : std::vector<Sentence>{};
  });
}

bool is_skipped(const CaseReport& one) { return one.verdict == Verdict::skipped && !one.quarantine; }

// Tell whether the case was not run, and there is nothing to say but why.
bool is_bare(const CaseReport& one) {
  return one.verdict == Verdict::not_run && !one.quarantine && one.checks.empty() && one.problems.empty() &&
         one.notes.empty();
}

void put_all_skipped(TextPage& page, const Report& report) {
  for (const SharedLine& skipped : by_reason(report, is_skipped)) put_skipped(page, skipped);
}

void put_not_red(TextPage& page, const Report& report, Detail detail, const ToldOnce& told) {
  put_passed(page, report, detail, told);
  for (const SharedLine& note : told.notes)
    page.wrapped(say({"note {} (in {} of {})", "说明 {0}（{2}中的 {1} 个）"}, note.line, note.cases.size(),
                     count_of(std::ssize(report.cases), "case", "个用例")),
                 2);
  put_all_skipped(page, report);
  for (const CaseReport& one : report.cases)
    if (one.quarantine) put_quarantined(page, one, detail, told);
}

// What the tree would change of the policy that judged it.
void put_findings(TextPage& page, const Report& report, Detail detail) {
  constexpr std::size_t most_findings = 40;
  if (!report.policy) return;
  page.wrapped(policy_words(report), 2);
  const std::vector<Sentence> lines = finding_lines_of(report);
  const std::size_t shown =
      detail == Detail::everything ? lines.size() : std::min(lines.size(), most_findings);
  for (std::size_t i = 0; i < shown; ++i) page.wrapped(as_is("  ") + lines[i], 4);
  if (shown < lines.size()) page.wrapped(say({"  and {} more", "  以及另外 {} 条"}, lines.size() - shown), 4);
}

// What was not run says little and comes first, then what several red cases have in common.
void put_all_red(TextPage& page, const Report& report, const std::vector<const CaseReport*>& red,
                 Detail detail, const ToldOnce& told) {
  for (const SharedLine& group : by_reason(report, is_bare)) put_not_run(page, group);
  for (const SharedLine& reason : told.reasons)
    page.wrapped(say({"{} red cases  {}", "{} 个红色用例  {}"}, reason.cases.size(), reason.line), 2);
  for (const CaseReport* one : red) {
    put_red(page, *one, detail, told);
    put_next_steps(page, report, *one);
  }
}

void put_shift(TextPage& page, const Report& report, const Style& style, const ToldOnce& told) {
  if (!style.quiet && !report.triage)  // a diff has it on top
    for (const Sentence& line : shift_lines(judge::triage(report.cases))) page.wrapped(line, 2);
  if (const Sentence line = differences_line(report, told.differs); !line.empty()) page.wrapped(line, 2);
}

// Where several red cases were told at length: each in a line, in the same order.
void put_red_lines(TextPage& page, const Report& report, const std::vector<const CaseReport*>& red,
                   const ToldOnce& told) {
  constexpr std::size_t most_lines = 12;
  for (std::size_t i = 0; i < red.size() && i < most_lines; ++i) put_red_line(page, *red[i], told);
  if (red.size() > most_lines)
    page.wrapped(say({"and {}", "以及另外 {}"},
                     count_of(std::ssize(red) - std::int64_t{most_lines}, "more red case", "个红色用例")),
                 2);
  for (const SharedLine& group : by_reason(report, is_bare)) put_not_run(page, group);
}

void put_step(TextPage& page, const NextStep& step) { page.command(padded(step.word(), 8), step.text); }

void put_look(TextPage& page, const Report& report, const CaseReport& one) {
  for (const NextStep& step : next_steps(report, one))
    if (step.step == Step::look) put_step(page, step);
}

void put_closing(TextPage& page, const Report& report) {
  const TextColor color = report.exit_code == exit_code::ok ? TextColor::green : TextColor::red;
  page.begun(color, closing_title(report), closing_line(report));
}

bool would_run(const CaseReport& one) { return one.verdict == Verdict::not_run; }

// When each case is expected to run, as a bar from the first launch to the end of all.
void put_timeline(TextPage& page, const std::vector<TimelineRow>& rows) {
  constexpr std::int64_t bar_width = 24;
  Duration end{};
  for (const TimelineRow& row : rows) end = std::max(end, row.end);
  if (rows.empty() || end == Duration{}) return;
  page.wrapped(say({"timeline, about {} as long as each case took in the last run:",
                    "时间表，按各用例上次的用时约需 {}："},
                   rough(end)));
  for (const TimelineRow& row : rows) {
    const auto from = static_cast<std::size_t>(row.begin.count() * bar_width / end.count());
    const auto to = std::max(from + 1, static_cast<std::size_t>(row.end.count() * bar_width / end.count()));
    std::string bar(static_cast<std::size_t>(bar_width), '.');
    for (std::size_t i = from; i < std::min(to, bar.size()); ++i) bar[i] = '#';
    const Sentence devices = row.devices.empty() ? Sentence() : say({"devices {}", "设备 {}"}, row.devices);
    page.wrapped(as_is("  ") + join(std::array{as_is(bar), as_is(row.name), devices}, column));
  }
}

// What --dry-run prints: nothing has run, and nothing is red but what cannot run.
std::string plan_text(const Report& report, const Style& style) {
  TextPage page(style);
  page.wrapped(header_line(report), 2);
  put_all_skipped(page, report);
  for (const CaseReport& one : report.cases)
    if (would_run(one)) put_planned(page, one);
  for (const CaseReport& one : report.cases)
    if (is_red(one) && !would_run(one)) put_red(page, one, Detail::listed);
  put_timeline(page, report.timeline);
  for (const Sentence& note : report.notes) page.wrapped(note, 2);
  put_findings(page, report, Detail::everything);
  page.wrapped(plan_line(report));
  return page.text();
}

// Where nothing is red, few want to know.
bool tells_differences(const Report& report, Detail detail) {
  return detail == Detail::everything || report.command == "diff" ||
         std::ranges::any_of(report.cases, [](const CaseReport& one) { return is_red(one); });
}

// What stands there in every run is counted: `8 metrics ungated, 12 notes: -v`.
void put_standing(TextPage& page, const ToldOnce& told) {
  std::vector<Ungated> news = told.ungated;
  const auto standing =
      static_cast<std::int64_t>(std::erase_if(news, [](const Ungated& entry) { return stands(entry); }));
  for (const Sentence& line : ungated_words(news, OwnClocks::left_out))
    page.wrapped(say({"ungated in all cases  {}", "所有用例都未设门禁  {}"}, line), 2);
  std::vector<Sentence> words;
  if (standing > 0)
    words.push_back(say({"{} ungated", "{}未设门禁"}, count_of(standing, "metric", "个指标")));
  if (!told.standing.empty()) words.push_back(count_of(std::ssize(told.standing), "note", "条说明"));
  if (!words.empty()) page.wrapped(say({"{}: -v", "{}（-v 查看）"}, join(words, comma)), 2);
}

// Of many cases those that passed stand in one line: a rule that gate.toml writes and that judges nothing in
// some of them is told here.
void put_idle_rules(TextPage& page, const Report& report, const ToldOnce& told) {
  constexpr std::size_t most_named = 3;
  std::map<std::string, std::vector<std::string>> cases;  // by metric
  for (const CaseReport& one : report.cases)
    for (const Ungated& entry : one.ungated)
      if (entry.reason == Remark(remark::Plain::rule_judges_nothing) &&
          std::ranges::find(told.ungated, entry) == told.ungated.end())
        cases[entry.metric].push_back(one.name);
  for (const auto& [metric, names] : cases)
    page.wrapped(say({"ungated  {0}: {1} (in {2} of {3} cases: {4})",
                      "未设门禁  {0}：{1}（{3} 个用例中有 {2} 个：{4}）"},
                     metric, words::text(remark::Plain::rule_judges_nothing), names.size(),
                     report.cases.size(), some_of(names, most_named)),
                 2);
}

RedCases red_at_length(const Report& report, Detail detail) {
  RedCases red = red_cases(report);
  if (detail == Detail::everything) red = {red.all(), {}, ""};
  std::erase_if(red.told, [](const CaseReport* one) { return is_bare(*one); });
  return red;
}

// `9 red cases moved with the rest, lm_loss +0.4 %: see shift`.
void put_moved(TextPage& page, const RedCases& red, const std::vector<NextStep>& steps) {
  const bool has_shift = std::ranges::find(steps, Step::shift, &NextStep::step) != steps.end();
  if (!red.moved.empty())
    page.wrapped(red.moved_line + (has_shift ? say({": see shift", "：见“整体偏移”"}) : Sentence()), 2);
}

ToldOnce told_once(const Report& report, const Style& style, Detail detail) {
  ToldOnce told;
  std::map<std::string, std::string> places;
  for (const CaseReport& one : report.cases) {
    const std::string place = place_word(one.platform, one.environment);
    told.tells_places |= places.emplace(one.name, place).first->second != place;
  }
  if (tells_differences(report, detail))
    told.differs = common_differences(report);
  else if (!style.quiet)
    told.differs = telling_differences(report);
  if (style.quiet || detail == Detail::everything) return told;
  told.ungated = ungated_in_all(report);
  if (report.command != "record") told.standing = standing_notes(report);
  told.notes = shared_lines(report, fewest_alike, [&](const CaseReport& one) {
    std::vector<Sentence> notes = one.quarantine ? std::vector<Sentence>{} : untold_notes(one, detail);
    std::erase_if(notes, [&](const Sentence& note) { return std::ranges::count(told.standing, note) > 0; });
    return notes;
  });
  told.reasons = shared_lines(report, fewest_alike, red_lines);
  std::erase_if(told.reasons, [](const SharedLine& reason) { return reason.line.empty(); });
  return told;
}

std::string text_of_run(const Report& report, const Style& style) {
  TextPage page(style);
  const Detail detail = style.verbose                     ? Detail::everything
                        : report.cases.size() > few_cases ? Detail::counted
                                                          : Detail::listed;
  if (!style.quiet) put_header(page, report, detail);
  const ToldOnce told = told_once(report, style, detail);
  if (!style.quiet) put_not_red(page, report, detail, told);
  const RedCases red = red_at_length(report, detail);
  const bool is_long = red.told.size() > few_red || (red.told.size() > 1 && detail == Detail::counted);
  std::vector<NextStep> steps = next_steps(report);
  if (style.quiet) std::erase_if(steps, [](const NextStep& step) { return step.step == Step::shift; });
  if (!is_long) put_shift(page, report, style, told);
  put_all_red(page, report, red.told, detail, told);
  put_standing(page, told);
  if (detail == Detail::counted && !style.quiet) put_idle_rules(page, report, told);
  for (const Sentence& note : report.notes) page.wrapped(note, 2);
  put_findings(page, report, detail);
  if (is_long) put_shift(page, report, style, told);
  if (is_long) put_red_lines(page, report, red.told, told);
  put_moved(page, red, steps);
  if (is_long) put_look(page, report, *red.told.front());
  if (red.told.empty() && !red.moved.empty()) put_look(page, report, *red.moved.front());
  for (const NextStep& step : steps) put_step(page, step);
  put_closing(page, report);
  return page.text();
}

}  // namespace

std::string text(const Report& report, const Style& style) {
  return report.command == "plan" ? plan_text(report, style) : text_of_run(report, style);
}

}  // namespace gate::render
