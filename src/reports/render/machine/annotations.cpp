// GitHub's workflow commands, `::error title=T,file=F::MESSAGE`. GitHub obeys a command wherever a line of
// the output begins with one, and shows of a step the first ten errors, warnings and notices.
#include <algorithm>
#include <map>
#include <vector>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "gate/words/values.h"
#include "render/text/case_text.h"
#include "render/words/case_remarks.h"
#include "render/words/check_words.h"
#include "render/words/next_steps.h"
#include "render/words/part_words.h"
#include "render/words/shared_lines.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

constexpr std::size_t most_shown = 10;
constexpr std::size_t most_named = 20;
constexpr int title_columns = 200;
constexpr int annotation_columns = 1000;

struct Annotation {
  Sentence title;
  std::string file;             // relative; "" where none is known
  std::vector<Sentence> lines;  // of the message
  std::int64_t line = 0;        // of the file; 0 where none is known
};

std::string escaped_command(std::string_view text, std::string_view special) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (special.find(c) == std::string_view::npos)
      out += c;
    else
      out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

std::string command(std::string_view kind, const Annotation& annotation, Language language) {
  std::string place =
      annotation.file.empty() ? "" : ",file=" + escaped_command(safe(annotation.file), "%\r\n:,");
  if (!place.empty() && annotation.line > 0) place += ",line=" + std::to_string(annotation.line);
  const auto shown = [&](const Sentence& text, int columns) { return cut(safe(text.in(language)), columns); };
  std::vector<std::string> lines;
  for (const Sentence& line : annotation.lines) lines.push_back(shown(line, annotation_columns));
  return "::" + std::string(kind) +
         " title=" + escaped_command(shown(annotation.title, title_columns), "%\r\n:,") + place +
         "::" + escaped_command(join(lines, "\n"), "%\r\n") + "\n";
}

// The last one counts the rest if there are more than GitHub shows.
std::string commands(std::string_view kind, const std::vector<Annotation>& all, Language language) {
  const std::size_t shown = all.size() > most_shown ? most_shown - 1 : all.size();
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += command(kind, all[i], language);
  if (shown == all.size()) return out;
  std::vector<std::string> rest;
  for (std::size_t i = shown; i < all.size(); ++i) rest.push_back(all[i].title.in(language));
  return out + command(kind,
                       {say({"gate: {} more", "gate：以及另外 {} 条"}, rest.size()),
                        "",
                        {as_is(some_of(rest, most_named))}},
                       language);
}

bool is_relative(const std::string& path) {
  return !path.empty() && path.front() != '/' && !path.starts_with("../");
}

std::string file_of(const CaseReport& one, const Check* check) {
  if (check != nullptr && check->test && is_relative(check->test->file)) return check->test->file;
  if (check != nullptr && is_relative(check->baseline_file)) return check->baseline_file;
  for (const BaselineUsed& baseline : one.baselines)
    if (is_relative(baseline.path)) return baseline.path;
  return "";
}

void add_check(Annotation& annotation, const std::vector<Fold>& folds, const Fold& shown) {
  annotation.lines.push_back(headline(shown));
  for (const Sentence& line : details(shown)) annotation.lines.push_back(line);
  const auto others = std::ranges::count_if(folds, [&](const Fold& folded) {
    return folded.first->status == shown.first->status && &folded != &shown;
  });
  if (others > 0)
    annotation.lines.push_back(say({"and {} more", "以及另外 {}"}, count_of(others, "check", "个检查项")));
}

Annotation error_of(const Report& report, const CaseReport& one) {
  const std::vector<Fold> folds = fold(one.checks);
  const Fold* failed = heaviest(folds);
  Annotation annotation{words::verdict_text(one.verdict) + as_is(" " + one.name),
                        file_of(one, failed == nullptr ? nullptr : failed->first),
                        {}};
  if (failed == nullptr || one.verdict != Verdict::regressed) annotation.lines.push_back(why(one));
  if (!one.differs.empty())
    annotation.lines.push_back(say({"differs {}", "差异 {}"}, differs_words(one.differs)));
  if (failed != nullptr) add_check(annotation, folds, *failed);
  if (one.cause) annotation.lines.push_back(say({"cause {}", "原因 {}"}, cause_words(*one.cause)));
  for (const NextStep& step : next_steps(report, one))
    if (step.step == Step::look) annotation.lines.push_back(as_is(step.text));
  return annotation;
}

std::vector<Annotation> errors(const Report& report) {
  std::vector<const CaseReport*> red;
  for (const CaseReport& one : report.cases)
    if (is_red(one)) red.push_back(&one);
  std::ranges::stable_sort(red, {}, [](const CaseReport* one) { return place_among_red(*one); });
  std::map<int, std::size_t> of_place;  // in turn, lest many of one hide the others
  std::multimap<std::size_t, const CaseReport*> turns;
  for (const CaseReport* one : red) turns.emplace(of_place[place_among_red(*one)]++, one);
  std::vector<Annotation> all;
  for (const auto& [turn, one] : turns) all.push_back(error_of(report, *one));
  if (all.empty() && report.exit_code != 0) all.push_back({as_is("gate"), "", {closing_line(report)}});
  return all;
}

std::vector<Annotation> warnings(const Report& report) {
  std::vector<Annotation> all;
  const std::vector<Sentence> findings = finding_lines_of(report);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const FindingPlace place = report.policy->findings[i].place();
    all.push_back(
        {say({"policy", "策略"}), is_relative(place.file) ? place.file : "", {findings[i]}, place.line});
  }
  for (const CaseReport& one : report.cases) {
    if (one.quarantine)
      all.push_back({words::verdict_text(one.verdict) + say({" {}, quarantined", " {}，隔离"}, one.name),
                     file_of(one, nullptr),
                     {quarantine_words(one)}});
    const std::vector<Fold> folds = fold(one.checks);
    const Fold* waived = first_with(folds, CheckStatus::waived);
    if (waived == nullptr) continue;
    all.push_back({say({"waived {}", "豁免 {}"}, one.name), file_of(one, waived->first), {}});
    add_check(all.back(), folds, *waived);
  }
  for (const Sentence& note : report.notes) all.push_back({as_is("gate"), "", {note}});
  return all;
}

}  // namespace

std::string annotations(const Report& report, const Style& style) {
  return commands("error", errors(report), style.language) +
         commands("warning", warnings(report), style.language) +
         command("notice", {header_line(report), "", {closing_line(report)}}, style.language);
}

}  // namespace gate::render
