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
  Sentence words;
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
    it = parts.insert(
        parts.end(),
        {label, check.is_each() || moved.empty() ? window_words(check) + as_is(error) : as_is(moved), {}});
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

// Tell whether the check is of an output, `answer.bleu`, or of how the script ended.
bool needs_no_step(const CaseReport& one, const Check& check) {
  return !check.numbered || std::ranges::any_of(one.outputs, [&](const OutputResult& output) {
    return check.metric == output.name || check.metric.starts_with(output.name + ".");
  });
}

// Tell whether anybody expects steps of it: not of tests, of outputs alone, or where only the end counts.
bool expects_steps(const CaseReport& one) {
  if (one.checks.empty()) return one.outputs.empty();
  return !has_tests(one) &&
         !std::ranges::all_of(one.checks, [&](const Check& check) { return needs_no_step(one, check); });
}

std::size_t shown_lines(std::size_t limit, Detail detail) {
  return detail == Detail::everything ? std::string::npos : limit;
}

// `after step 7 of 15` where it is short of what was demanded, else `30 steps`.
Sentence progress(const CaseReport& one) {
  const bool launched = one.outcome && was_launched(*one.outcome);
  const bool is_read = std::ranges::none_of(
      one.problems, [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
  if (one.steps == 0)
    return launched && is_read && expects_steps(one) ? say({"before its first step", "在第一步之前"})
                                                     : Sentence();
  if (!one.total || one.steps >= *one.total) return count_of(one.steps, "step", "步");
  return say({"after step {} of {}", "到第 {} 步，应有 {} 步"}, one.steps, *one.total);
}

// `llama2`, `llama2  nvidia-a100@lts`.
Sentence name_at_place(const CaseReport& one, const ToldOnce& told) {
  const std::string place = platform_name(place_word(one.platform, one.environment));
  return as_is(one.name + (told.tells_places ? "  " + place : ""));
}

Sentence title_of(const CaseReport& one, const ToldOnce& told) {
  const Sentence owner = one.owner.empty() ? Sentence() : say({"owner {}", "负责人 {}"}, one.owner);
  return join(
      std::array{name_at_place(one, told), owner, green_since(one), progress(one), as_is(duration_text(one))},
      column);
}

Sentence more_lines(std::size_t count) { return say({"and {} more", "以及另外 {} 条"}, count); }

void put_list(TextPage& page, const Sentence& label, const std::vector<Sentence>& lines, std::size_t limit) {
  for (std::size_t i = 0; i < lines.size() && i < limit; ++i) page.labelled(label, label_width, lines[i]);
  if (lines.size() > limit) page.labelled(label, label_width, more_lines(lines.size() - limit));
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
  if (!metrics.empty()) page.wrapped(say({"  undecided {}", "  未定 {}"}, join(metrics, ", ")), 4);
}

void put_checks(TextPage& page, const CaseReport& one, Detail detail) {
  std::size_t rows = 0;
  for (const Fold& folded : fold(one.checks)) {
    const bool is_told = folded.first->status == CheckStatus::pass || is_consequence(one, *folded.first);
    if (is_told && detail != Detail::everything) continue;
    if (++rows > shown_lines(shown_checks, detail)) continue;
    page.wrapped(as_is("  ") + headline(folded), 4);
    for (const Sentence& line : details(folded)) page.wrapped(as_is("    ") + line, 4 + label_width);
  }
  if (rows > shown_lines(shown_checks, detail))
    page.wrapped(say({"  and {} more", "  以及另外 {}"},
                     count_of(static_cast<std::int64_t>(rows - shown_checks), "check", "个检查项")));
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
  put_list(page, say({"problem", "问题"}), problem_words(problems), limit);
}

// Tell whether a check that is shown already says what the note `lm_loss: steps 16-30 not judged` says.
bool repeats_check(const CaseReport& one, const Note& note, Detail detail) {
  if (note.subjects.empty()) return false;
  const Sentence said = words::text(note.remark, note.numbered);
  return std::ranges::any_of(one.checks, [&](const Check& check) {
    const bool shown = check.status != CheckStatus::pass || detail == Detail::everything;
    return shown && note.subjects.front().name == check.metric &&
           std::ranges::any_of(check.remarks, [&](const Remark& remark) {
             return words::text(remark, check.numbering()) == said;
           });
  });
}

bool is_told(const ToldOnce& told, const Sentence& note) {
  return is_among(told.notes, note) || std::ranges::find(told.standing, note) != told.standing.end();
}

void put_remarks(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told) {
  std::vector<Sentence> notes = untold_notes(one, detail);
  std::erase_if(notes, [&](const Sentence& note) { return is_told(told, note); });
  put_list(page, say({"note", "说明"}), notes, shown_lines(shown_remarks, detail));
  std::vector<Ungated> ungated = one.ungated;
  std::erase_if(ungated, [&](const Ungated& entry) { return std::ranges::count(told.ungated, entry) > 0; });
  put_list(page, say({"ungated", "未设门禁"}),
           ungated_words(ungated, detail == Detail::everything ? OwnClocks::listed : OwnClocks::left_out),
           shown_lines(shown_remarks, detail));
}

void put_differences(TextPage& page, const CaseReport& one, const ToldOnce& told) {
  std::vector<FactChange> own = one.differs;
  std::erase_if(own, [&](const FactChange& change) { return is_among(told.differs, gate::text(change)); });
  if (!own.empty()) put_list(page, say({"differs", "差异"}), {differs_words(own)}, 1);
}

// A regression is told by its checks.
Sentence told_reason(const CaseReport& one) {
  const bool told = one.verdict == Verdict::regressed &&
                    std::ranges::find(one.checks, CheckStatus::fail, &Check::status) != one.checks.end();
  return told ? Sentence() : one.reason;
}

// What else there is to say is how the script ended, if not well, or well and too early.
void put_why(TextPage& page, const CaseReport& one, const ToldOnce& told) {
  const Sentence reason = told_reason(one);
  if (!reason.empty() && !is_among(told.reasons, reason)) page.wrapped(as_is("  ") + reason, 4);
  if (!has_telling_end(one)) return;
  if (const Sentence end = end_beside(one); !end.empty()) page.wrapped(as_is("  ") + end, 4);
  if (!one.last_words.empty() && !one.cause)
    put_list(page, say({"log ends", "日志末尾"}), {as_is(printable(one.last_words, 120))}, 1);
  if (one.device_time_saved)
    page.wrapped(say({"  stopped early: {}", "  提前停止：{}"}, saved_words(*one.device_time_saved)), 4);
}

// Where each baseline was looked for, and what it is the reference for.
std::vector<Sentence> chain_words(const CaseReport& one) {
  std::vector<Sentence> words;
  for (const BaselineTried& tried : one.chain)
    words.push_back(as_is(tried.path) + colon +
                    (tried.sha256.empty() ? say({"not there", "不存在"})
                     : tried.metrics.empty()
                         ? say({"nothing that no more specific file has", "没有更具体的文件所缺的内容"})
                         : as_is(join(tried.metrics, ", "))));
  return words;
}

void put_chain(TextPage& page, const CaseReport& one, Detail detail) {
  if (!has_tests(one) && (detail == Detail::everything || one.verdict == Verdict::unjudged))
    put_list(page, say({"baseline", "基线"}), chain_words(one), std::string::npos);
}

void put_shadow(TextPage& page, const CaseReport& one) {
  if (const Sentence words = shadow_words(one); !words.empty())
    put_list(page, say({"shadow", "影子判定"}), {words}, 1);
}

// What was compared, and how much there is to say that is not listed below it.
void put_performance(TextPage& page, const CaseReport& one) {
  if (const Sentence words = performance_words(one); !words.empty())
    put_list(page, say({"speed", "速度"}), {words}, 1);
}

Sentence green_words(const CaseReport& one, Detail detail, const ToldOnce& told) {
  const auto untold =
      std::ranges::count_if(notes_of(one), [&](const Sentence& note) { return !is_told(told, note); });
  std::vector<Sentence> words{passed_summary(one)};
  if (is_waived(one)) words.push_back(say({"waived", "豁免"}));
  if (detail == Detail::counted && untold > 0) words.push_back(count_of(untold, "note", "条说明"));
  if (detail == Detail::counted && !one.problems.empty())
    words.push_back(count_of(std::ssize(one.problems), "problem", "个问题"));
  return join(words, comma);
}

// `12 tests, 2 skipped`.
std::vector<Sentence> passed_tests(const CaseReport& one) {
  const auto count = [&](CheckStatus status) {
    return std::ranges::count_if(one.checks,
                                 [&](const Check& check) { return check.test && check.status == status; });
  };
  const auto passed = count(CheckStatus::pass), skipped = count(CheckStatus::skipped);
  std::vector<Sentence> words;
  if (passed > 0) words.push_back(count_of(passed, "test", "个测试"));
  if (passed > 0 && skipped > 0) words.push_back(say({"{} skipped", "{} 跳过"}, skipped));
  return words;
}

}  // namespace

Sentence passed_summary(const CaseReport& report) {
  std::vector<Sentence> words = passed_tests(report);
  for (const SummaryPart& part : passed_parts(report))
    words.push_back(as_is(part.label + " ") +
                    (part.ranks.empty()
                         ? part.words
                         : say({"{} ok", "{} 正常"}, count_of(std::ssize(part.ranks), "rank", "个 rank"))));
  return join(words, comma);
}

std::vector<Sentence> untold_notes(const CaseReport& one, Detail detail) {
  std::vector<Sentence> notes;
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

std::vector<Sentence> red_lines(const CaseReport& one) {
  std::vector<Sentence> lines;
  if (!is_red(one) || one.verdict == Verdict::not_run) return lines;  // those are put together by it
  if (const Sentence reason = told_reason(one); !reason.empty()) lines.push_back(reason);
  if (one.cause && !one.cause->advice.empty()) lines.push_back(one.cause->advice);
  return lines;
}

bool has_more_to_say(const CaseReport& one) {
  return is_waived(one) || !one.problems.empty() || !shadow_words(one).empty();
}

Sentence trouble_words(const CaseReport& report) {
  std::vector<Sentence> words;
  for (const Fold& folded : fold(report.checks))
    if (folded.first->status != CheckStatus::pass) words.push_back(headline(folded));
  return words.empty() ? why(report) : join(words, semicolon);
}

Sentence found_words(const CaseReport& report) {
  if (report.verdict == Verdict::passed) return passed_summary(report);
  return report.verdict == Verdict::skipped ? report.reason : trouble_words(report);
}

Sentence found_in(const CaseReport& report) {
  return is_red(report) && !report.reason.empty() ? report.reason : found_words(report);
}

Sentence why(const CaseReport& report) {
  return report.reason.empty() && report.outcome ? text(*report.outcome) : report.reason;
}

std::string duration_text(const CaseReport& one) {
  return one.duration.count() > 0 ? rough(one.duration) : "";
}

void put_outputs(TextPage& page, const CaseReport& one) {
  if (const Sentence stages = stage_words(one); !stages.empty())
    put_list(page, say({"stages", "环节"}), {stages}, 1);
  for (const ShownOutput& output : shown_outputs(one)) {
    put_list(page, say({"output", "输出"}), {output.title}, 1);
    for (const ShownDifference& difference : output.differences) {
      page.wrapped(as_is("    ") + difference.title, 4);
      page.labelled(say({"    golden", "    基准"}), 12, as_is(difference.golden));
      page.labelled(say({"    actual", "    实际"}), 12, as_is(difference.actual));
    }
  }
}

void put_green(TextPage& page, const CaseReport& one, Detail detail, const Sentence& word,
               const ToldOnce& told) {
  page.one_line(TextColor::green, word, name_at_place(one, told) + column + green_words(one, detail, told),
                as_is(duration_text(one)));
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
  std::vector<Sentence> words{as_is(one.devices)};
  if (one.total) words.push_back(count_of(*one.total, "step", "步"));
  for (const BaselineUsed& baseline : one.baselines) words.push_back(as_is(baseline.path));
  if (one.baselines.empty()) words.push_back(say({"no baseline", "没有基线"}));
  page.wrapped(say({"would run {}  {}", "将运行 {}  {}"}, one.name, join(words, comma)), 2);
  for (const std::string_view line : split(one.job, '\n'))
    if (!line.empty()) page.kept("  " + printable(line, line.size()));
}

void put_skipped(TextPage& page, const SharedLine& skipped) {
  page.titled(TextColor::yellow, words::verdict_text(Verdict::skipped),
              join(std::array{list_of(skipped.cases), skipped.line}, column));
}

void put_not_run(TextPage& page, const SharedLine& cases) {
  const Sentence count =
      cases.cases.size() > 1 ? count_of(std::ssize(cases.cases), "case", "个用例") : Sentence();
  page.titled(TextColor::red, words::verdict_text(Verdict::not_run).with(upper),
              join(std::array{count, list_of(cases.cases)}, column));
  if (!cases.line.empty()) page.wrapped(as_is("  ") + cases.line, 4);
}

void put_quarantined(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told) {
  if (is_red(one.verdict)) {
    put_red(page, one, detail, told);
  } else {
    page.titled(TextColor::yellow, words::verdict_text(one.verdict), title_of(one, told));
  }
  page.wrapped(as_is("  ") + quarantine_words(one), 4);
}

void put_red(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told) {
  const Sentence verdict = words::verdict_text(one.verdict),
                 word = one.quarantine ? verdict : verdict.with(upper);
  page.titled(one.quarantine ? TextColor::yellow : TextColor::red, word, title_of(one, told));
  put_why(page, one, told);
  put_shadow(page, one);
  if (one.cause) put_list(page, say({"cause", "原因"}), {cause_words(*one.cause)}, 1);
  if (one.cause && !is_among(told.reasons, one.cause->advice))
    put_list(page, say({"advice", "建议"}), {one.cause->advice}, 1);
  if (tells_setup(one)) put_differences(page, one, told);
  put_checks(page, one, detail);
  put_performance(page, one);
  const Sentence ok = detail == Detail::everything ? Sentence() : passed_summary(one);
  if (!ok.empty()) put_list(page, words::verdict_text(Verdict::passed), {ok}, 1);
  put_outputs(page, one);
  put_problems(page, one, detail);
  put_remarks(page, one, detail, told);
  put_chain(page, one, detail);
  if (!tells_setup(one)) put_differences(page, one, told);
}

Sentence first_trouble(const CaseReport& one) {
  const std::vector<Fold> folds = fold(one.checks);
  const Fold* failed = heaviest(folds);
  if (failed != nullptr && one.verdict == Verdict::regressed) return short_words(*failed);
  return join(std::array{progress(one), why(one)}, comma);
}

void put_red_line(TextPage& page, const CaseReport& one, const ToldOnce& told) {
  page.one_line(TextColor::red, words::verdict_text(one.verdict).with(upper),
                name_at_place(one, told) + column + first_trouble(one), {});
}

void put_next_steps(TextPage& page, const Report& run, const CaseReport& one) {
  for (const NextStep& step : next_steps(run, one))
    page.command(as_is("  ") + padded(step.word(), label_width), step.text);
}

}  // namespace gate::render
