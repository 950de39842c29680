#include "render/text/case_text.h"

#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "render/words/case_remarks.h"
#include "render/words/check_words.h"
#include "render/words/next_steps.h"
#include "render/words/part_words.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

struct SummaryPart {
  std::string label;
  std::string words;
  std::set<int> ranks;  // empty where the series names no rank
};

void put_part(std::vector<SummaryPart>& parts, const Check& check) {
  std::string label = check.rank || check.rule.empty() ? check.metric : check.rule;
  if (check.rank && check.kind == MetricKind::memory) label = "memory";
  const std::string moved =
      check.delta_percent ? short_percent(*check.delta_percent) : words::signed_text(check.delta);
  const std::string error =
      check.is_error() && check.actual ? " " + words::value_text(check.actual) + " " + check.unit : "";
  auto it = std::ranges::find_if(parts, [&](const SummaryPart& part) {
    return part.label == label && check.rank && !part.ranks.empty();
  });
  if (it == parts.end())
    it = parts.insert(parts.end(),
                      {label, check.is_each() || moved.empty() ? window_words(check) + error : moved, {}});
  if (check.rank) it->ranks.insert(*check.rank);
}

std::vector<SummaryPart> passed_parts(const CaseReport& report) {
  std::vector<SummaryPart> parts;
  for (const Check& check : report.checks)
    if (check.status == CheckStatus::pass && !check.test) put_part(parts, check);
  return parts;
}

constexpr std::size_t shown_checks = 12;
constexpr std::size_t shown_problems = 8;
constexpr std::size_t shown_remarks = 6;
constexpr int label_width = 9;

bool has_tests(const CaseReport& one) {
  return std::ranges::any_of(one.checks, [](const Check& check) { return check.test.has_value(); });
}

std::size_t shown_lines(std::size_t limit, Detail detail) {
  return detail == Detail::everything ? std::string::npos : limit;
}

// `after step 7 of 15` where it is short of what was demanded, else `30 steps`.
std::string progress(const CaseReport& one) {
  const bool launched = one.outcome && was_launched(*one.outcome);
  const bool is_read = std::ranges::none_of(
      one.problems, [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
  if (one.steps == 0) return launched && is_read && !has_tests(one) ? "before its first step" : "";
  if (!one.total || one.steps >= *one.total) return count_of(one.steps, "step");
  return "after step " + std::to_string(one.steps) + " of " + std::to_string(*one.total);
}

std::string title_of(const CaseReport& one) {
  std::string title = verbatim(one.name);
  const std::string owner = one.owner.empty() ? "" : "owner " + verbatim(one.owner);
  for (const std::string& part : {owner, green_since(one), progress(one), duration_text(one)})
    if (!part.empty()) title += "  " + part;
  return title;
}

void put_list(TextPage& page, std::string_view label, const std::vector<std::string>& lines,
              std::size_t limit) {
  for (std::size_t i = 0; i < lines.size() && i < limit; ++i) page.labelled(label, label_width, lines[i]);
  if (lines.size() > limit)
    page.labelled(label, label_width, "and " + std::to_string(lines.size() - limit) + " more");
}

// Tell whether the script, or what it ran on, came to a bad end, of which missing steps are a consequence.
bool was_cut_off(const CaseReport& one) {
  using enum Verdict;
  return one.verdict == hung || one.verdict == timed_out || one.verdict == crashed || one.verdict == infra ||
         one.verdict == interrupted;
}

bool is_consequence(const CaseReport& one, const Check& check) {
  return was_cut_off(one) && (check.status == CheckStatus::missing || check.status == CheckStatus::undecided);
}

void put_consequences(TextPage& page, const CaseReport& one) {
  std::vector<std::string> metrics;
  for (const Check& check : one.checks)
    if (is_consequence(one, check) && std::ranges::find(metrics, check.metric) == metrics.end())
      metrics.push_back(check.metric);
  if (!metrics.empty()) page.wrapped("  undecided " + join(metrics, ", "), 4);
}

void put_checks(TextPage& page, const CaseReport& one, Detail detail) {
  std::size_t rows = 0;
  for (const Fold& folded : fold(one.checks)) {
    const bool is_told = folded.first->status == CheckStatus::pass || is_consequence(one, *folded.first);
    if (is_told && detail != Detail::everything) continue;
    if (++rows > shown_lines(shown_checks, detail)) continue;
    page.wrapped("  " + headline(folded, Quotes::marked), 4);
    for (const std::string& line : details(folded, Quotes::marked))
      page.wrapped("    " + line, 4 + label_width);
  }
  if (rows > shown_lines(shown_checks, detail))
    page.wrapped("  and " + count_of(static_cast<std::int64_t>(rows - shown_checks), "check") + " more");
  if (detail != Detail::everything) put_consequences(page, one);
}

// What the log says of failures is never among those that are only counted. Returns how many these are.
std::size_t put_messages_first(std::vector<Problem>& problems) {
  const auto is_said = [](const Problem& problem) { return problem.kind == ProblemKind::message; };
  const auto others = std::stable_partition(problems.begin(), problems.end(), is_said);
  return static_cast<std::size_t>(others - problems.begin());
}

// Of a log that holds no step because the script failed nobody wants to know that it is of no known format.
void put_problems(TextPage& page, const CaseReport& one, Detail detail) {
  std::vector<Problem> problems = one.problems;
  if (was_cut_off(one) && one.steps == 0 && detail != Detail::everything)
    std::erase_if(problems, [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
  std::size_t limit = shown_lines(shown_problems, detail);
  if (problems.size() > limit) limit = std::max(limit, put_messages_first(problems));
  put_list(page, "problem", problem_words(problems, Quotes::marked), limit);
}

// Tell whether a check that is shown already says what the note `lm_loss: steps 16-30 not judged` says.
bool repeats_check(const CaseReport& one, const Note& note, Detail detail) {
  if (note.subjects.empty()) return false;
  const std::string remark = words::text(note.remark, note.numbered);
  return std::ranges::any_of(one.checks, [&](const Check& check) {
    const bool shown = check.status != CheckStatus::pass || detail == Detail::everything;
    return shown && note.subjects.front().name == check.metric &&
           words::note_text(check).find(remark) != std::string::npos;
  });
}

bool is_told(const ToldOnce& told, const std::string& note) {
  return is_among(told.notes, note) || std::ranges::find(told.standing, note) != told.standing.end();
}

void put_remarks(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told) {
  std::vector<std::string> notes = untold_notes(one, detail);
  std::erase_if(notes, [&](const std::string& note) { return is_told(told, note); });
  put_list(page, "note", notes, shown_lines(shown_remarks, detail));
  std::vector<Ungated> ungated = one.ungated;
  std::erase_if(ungated, [&](const Ungated& entry) { return std::ranges::count(told.ungated, entry) > 0; });
  put_list(page, "ungated",
           ungated_words(ungated, detail == Detail::everything ? OwnClocks::listed : OwnClocks::left_out),
           shown_lines(shown_remarks, detail));
}

void put_differences(TextPage& page, const CaseReport& one, const ToldOnce& told) {
  std::vector<std::string> own = one.differs;
  std::erase_if(own, [&](const std::string& difference) { return is_among(told.differs, difference); });
  if (!own.empty()) put_list(page, "differs", {differs_words(own, Quotes::marked)}, 1);
}

// A regression is told by its checks.
std::string told_reason(const CaseReport& one) {
  const bool told = one.verdict == Verdict::regressed &&
                    std::ranges::find(one.checks, CheckStatus::fail, &Check::status) != one.checks.end();
  return told ? "" : one.reason;
}

// What else there is to say is how the script ended, if not well, or well and too early.
void put_why(TextPage& page, const CaseReport& one, const ToldOnce& told) {
  const std::string reason = told_reason(one);
  if (!reason.empty() && !is_among(told.reasons, reason)) page.wrapped("  " + reason, 4);
  const bool too_early = one.verdict == Verdict::incomplete;
  if (!one.outcome || is_held_back(one) || (ended_well(*one.outcome) && !too_early)) return;
  const std::string outcome = to_string(*one.outcome);
  if (reason.find(outcome) == std::string::npos) page.wrapped("  " + outcome, 4);
  if (!one.last_words.empty() && !one.cause)
    put_list(page, "log ends", {verbatim(printable(one.last_words, 120))}, 1);
  if (one.device_time_saved) page.wrapped("  stopped early: " + saved_words(*one.device_time_saved), 4);
}

// Where each baseline was looked for, and what it is the reference for.
std::vector<std::string> chain_words(const CaseReport& one) {
  return texts_of(one.chain, [&](const BaselineTried& tried) {
    return verbatim(tried.path) + ": " +
           (tried.sha256.empty()    ? "not there"
            : tried.metrics.empty() ? "nothing that no more specific file has"
                                    : verbatim(join(tried.metrics, ", ")));
  });
}

void put_chain(TextPage& page, const CaseReport& one, Detail detail) {
  if (!has_tests(one) && (detail == Detail::everything || one.verdict == Verdict::unjudged))
    put_list(page, "baseline", chain_words(one), std::string::npos);
}

void put_shadow(TextPage& page, const CaseReport& one) {
  if (const std::string words = shadow_words(one); !words.empty()) put_list(page, "shadow", {words}, 1);
}

// What was compared, and how much there is to say that is not listed below it.
void put_performance(TextPage& page, const CaseReport& one) {
  if (const std::string words = performance_words(one); !words.empty()) put_list(page, "speed", {words}, 1);
}

std::string green_words(const CaseReport& one, Detail detail, const ToldOnce& told) {
  std::vector<std::string> words;
  const auto add = [&](std::size_t count, std::string_view noun) {
    if (count > 0) words.push_back(count_of(static_cast<std::int64_t>(count), noun));
  };
  const auto untold = static_cast<std::size_t>(
      std::ranges::count_if(notes_of(one), [&](const std::string& note) { return !is_told(told, note); }));
  if (const std::string passed = passed_summary(one); !passed.empty()) words.push_back(passed);
  if (is_waived(one)) words.emplace_back("waived");
  if (detail == Detail::counted) add(untold, "note");
  if (detail == Detail::counted) add(one.problems.size(), "problem");
  return join(words, ", ");
}

// `12 tests, 2 skipped`.
std::vector<std::string> passed_tests(const CaseReport& one) {
  const auto count = [&](CheckStatus status) {
    return std::ranges::count_if(one.checks,
                                 [&](const Check& check) { return check.test && check.status == status; });
  };
  const auto passed = count(CheckStatus::pass), skipped = count(CheckStatus::skipped);
  std::vector<std::string> words;
  if (passed > 0) words.push_back(count_of(passed, "test"));
  if (passed > 0 && skipped > 0) words.push_back(std::to_string(skipped) + " skipped");
  return words;
}

}  // namespace

std::string passed_summary(const CaseReport& report) {
  std::vector<std::string> words = passed_tests(report);
  for (const SummaryPart& part : passed_parts(report))
    words.push_back(part.label + " " +
                    (part.ranks.empty() ? part.words : count_of(std::ssize(part.ranks), "rank") + " ok"));
  return join(words, ", ");
}

std::vector<std::string> untold_notes(const CaseReport& one, Detail detail) {
  std::vector<std::string> notes;
  for (const Note& note : one.notes)
    if (!repeats_check(one, note, detail)) notes.push_back(words::text(note));
  return notes;
}

std::vector<std::string> passed_labels(const CaseReport& report) {
  std::vector<std::string> labels;
  if (has_tests(report)) labels.emplace_back("tests");
  for (const SummaryPart& part : passed_parts(report))
    if (std::ranges::find(labels, part.label) == labels.end()) labels.push_back(part.label);
  return labels;
}

std::vector<std::string> red_lines(const CaseReport& one) {
  std::vector<std::string> lines;
  if (!is_red(one) || one.verdict == Verdict::not_run) return lines;  // those are put together by it
  if (const std::string reason = told_reason(one); !reason.empty()) lines.push_back(reason);
  if (one.cause && !one.cause->advice.empty()) lines.push_back(one.cause->advice);
  return lines;
}

bool has_more_to_say(const CaseReport& one) {
  return is_waived(one) || !one.problems.empty() || !shadow_words(one).empty();
}

std::string trouble_words(const CaseReport& report, Quotes quotes) {
  std::vector<std::string> words;
  for (const Fold& folded : fold(report.checks))
    if (folded.first->status != CheckStatus::pass) words.push_back(headline(folded, quotes));
  return words.empty() ? why(report) : join(words, "; ");
}

std::string found_words(const CaseReport& report, Quotes quotes) {
  if (report.verdict == Verdict::passed) return passed_summary(report);
  return report.verdict == Verdict::skipped ? report.reason : trouble_words(report, quotes);
}

std::string found_in(const CaseReport& report, Quotes quotes) {
  return is_red(report) && !report.reason.empty() ? report.reason : found_words(report, quotes);
}

std::string why(const CaseReport& report) {
  return report.reason.empty() && report.outcome ? to_string(*report.outcome) : report.reason;
}

std::string duration_text(const CaseReport& one) {
  return one.duration.count() > 0 ? rough(one.duration) : "";
}

void put_outputs(TextPage& page, const CaseReport& one) {
  if (const std::string stages = stage_words(one); !stages.empty()) put_list(page, "stages", {stages}, 1);
  for (const ShownOutput& output : shown_outputs(one)) {
    put_list(page, "output", {output.title}, 1);
    for (const ShownDifference& difference : output.differences) {
      page.wrapped("    " + difference.title, 4);
      page.labelled("    golden", 12, verbatim(difference.golden));
      page.labelled("    actual", 12, verbatim(difference.actual));
    }
  }
}

void put_green(TextPage& page, const CaseReport& one, Detail detail, std::string_view word,
               const ToldOnce& told) {
  page.one_line(TextColor::green, word, verbatim(one.name) + "  " + green_words(one, detail, told),
                duration_text(one));
  put_shadow(page, one);
  put_performance(page, one);
  put_checks(page, one, detail);
  if (detail == Detail::everything) put_outputs(page, one);
  if (detail != Detail::counted) put_remarks(page, one, detail, told);
  put_chain(page, one, detail);
  if (detail != Detail::counted) put_problems(page, one, detail);
  if (detail == Detail::everything) put_differences(page, one, told);
}

void put_planned(TextPage& page, const CaseReport& one) {
  std::vector<std::string> words{verbatim(one.devices)};
  if (one.total) words.push_back(count_of(*one.total, "step"));
  for (const BaselineUsed& baseline : one.baselines) words.push_back(verbatim(baseline.path));
  if (one.baselines.empty()) words.emplace_back("no baseline");
  page.wrapped("would run " + verbatim(one.name) + "  " + join(words, ", "), 2);
  for (const std::string_view line : split(one.job, '\n'))
    if (!line.empty()) page.kept("  " + printable(line, line.size()));
}

void put_skipped(TextPage& page, const SharedLine& skipped) {
  page.titled(TextColor::yellow, "skipped",
              verbatim(list_of(skipped.cases)) + (skipped.line.empty() ? "" : "  " + skipped.line));
}

void put_not_run(TextPage& page, const SharedLine& cases) {
  page.titled(TextColor::red, upper(to_string(Verdict::not_run)),
              (cases.cases.size() > 1 ? count_of(std::ssize(cases.cases), "case") + "  " : "") +
                  verbatim(list_of(cases.cases)));
  if (!cases.line.empty()) page.wrapped("  " + cases.line, 4);
}

void put_quarantined(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told) {
  if (is_red(one.verdict)) {
    put_red(page, one, detail, told);
  } else {
    page.titled(TextColor::yellow, to_string(one.verdict), title_of(one));
  }
  page.wrapped("  " + quarantine_words(one), 4);
}

void put_red(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told) {
  const std::string word =
      one.quarantine ? std::string(to_string(one.verdict)) : upper(to_string(one.verdict));
  page.titled(one.quarantine ? TextColor::yellow : TextColor::red, word, title_of(one));
  put_why(page, one, told);
  put_shadow(page, one);
  if (one.cause) put_list(page, "cause", {cause_words(*one.cause, Quotes::marked)}, 1);
  if (one.cause && !is_among(told.reasons, one.cause->advice))
    put_list(page, "advice", {one.cause->advice}, 1);
  if (tells_setup(one)) put_differences(page, one, told);
  put_checks(page, one, detail);
  put_performance(page, one);
  const std::string ok = detail == Detail::everything ? "" : passed_summary(one);
  if (!ok.empty()) put_list(page, "passed", {ok}, 1);
  put_outputs(page, one);
  put_problems(page, one, detail);
  put_remarks(page, one, detail, told);
  put_chain(page, one, detail);
  if (!tells_setup(one)) put_differences(page, one, told);
}

std::string first_trouble(const CaseReport& one) {
  const std::vector<Fold> folds = fold(one.checks);
  const Fold* failed = heaviest(folds);
  if (failed != nullptr && one.verdict == Verdict::regressed) return short_words(*failed, Quotes::marked);
  std::vector<std::string> parts;
  for (const std::string& part : {progress(one), why(one)})
    if (!part.empty()) parts.push_back(part);
  return join(parts, ", ");
}

void put_red_line(TextPage& page, const CaseReport& one) {
  page.one_line(TextColor::red, upper(to_string(one.verdict)), verbatim(one.name) + "  " + first_trouble(one),
                "");
}

void put_next_steps(TextPage& page, const Report& run, const CaseReport& one) {
  for (const NextStep& step : next_steps(run, one))
    page.command("  " + pad(step.word, label_width), step.text);
}

}  // namespace gate::render
