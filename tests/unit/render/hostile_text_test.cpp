// What stands in names, reasons and logs is shown and never obeyed, and keeps to the width.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "gate/base/text.h"
#include "gate/schema/result_file.h"
#include "render/words/text_page.h"
#include "sample_reports.h"

namespace gate::render::hostile_text_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string hostile =
    "a\x1b[2Jb\xff\xfe\n\x01"
    "c\u202e\u0085\ufffe|`<&]]>";

CaseReport hostile_case() {
  CaseReport one = sample::regressed_case();
  one.reason = hostile;
  one.name = one.owner = one.devices = hostile;
  one.notes = {plain_note(hostile)};
  one.problems = {{ProblemKind::other, hostile, 3, hostile}};
  one.ungated = {shown::ungated(hostile, hostile, hostile)};
  one.artifacts = {{"log", hostile}, {hostile, hostile}};
  one.checks[0].remarks = {shown::text(hostile)};
  one.checks[0].rule = one.checks[0].metric = one.checks[0].unit = hostile;
  one.checks[0].formula = one.checks[0].first_miss->file = hostile;
  return one;
}

Report hostile_report() {
  Report report = sample::report({hostile_case(), sample::passed_case(), sample::skipped_case()}, 1);
  report.cases[2].reason = hostile;
  report.cases[1].name = report.cases[2].name = hostile;
  report.suite = report.host = report.run = report.platform = report.commit = report.started = hostile;
  return report;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  return lines;
}

std::string without_line_ends(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text)) out += line;
  return out;
}

bool is_to_be_pasted(const std::string& line) {
  return line.starts_with("  look") || line.starts_with("  accept") || line.starts_with("  log ") ||
         line.starts_with("rerun") || line.starts_with("resume") || trim(line).starts_with("--");
}

void expect_narrow(const std::string& text, int width) {
  for (const std::string& line : lines_of(text)) {
    if (is_to_be_pasted(line)) continue;
    EXPECT_LE(columns(line), width) << line;
  }
}

TEST(HostileText, TerminalGetsNothingToObey) {
  const std::string out = text(hostile_report(), sample::columns_80());
  EXPECT_EQ(without_line_ends(out), safe(without_line_ends(out)));
  EXPECT_THAT(out, HasSubstr("REGRESSED a\\x1b[2Jb\\xff\\xfe\\x0a\\x01c"));
}

TEST(HostileText, JUnitStaysWellFormedAndReadsBackTheSame) {
  const std::string out = junit(hostile_report(), Style{});
  EXPECT_THAT(out, Not(HasSubstr("&#"))) << "a control character as a reference is no XML 1.0 either";
  EXPECT_EQ(without_line_ends(out), safe(without_line_ends(out)));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(out.c_str()));
  const pugi::xml_node test = document.child("testsuites").child("testsuite").child("testcase");
  EXPECT_EQ(std::string(test.attribute("name").value()), safe(hostile));
  EXPECT_EQ(std::string(test.child("failure").attribute("message").value()), safe(hostile));
  EXPECT_THAT(std::string(test.child("system-out").child_value()), HasSubstr("|`<&]]>"));
}

TEST(HostileText, MarkdownKeepsItsTableAndItsBlocks) {
  const std::string out = markdown(hostile_report(), Style{});
  int rows = 0;
  for (const std::string& line : lines_of(out)) rows += line.starts_with("| ") ? 1 : 0;
  EXPECT_EQ(rows, 4) << out;
  EXPECT_THAT(out, HasSubstr("\\|\\`&lt;&amp;\\]\\]&gt;"));
}

// What stands outside of code blocks, without what gate itself puts there.
std::string prose_of(const std::string& markdown) {
  std::string out, fence;
  for (const std::string& line : lines_of(markdown)) {
    const bool begins = fence.empty() && line.starts_with("```"), ends = !fence.empty() && line == fence;
    if (begins) fence = line.substr(0, line.find_first_not_of('`'));
    if (fence.empty() && line != "<details>" && line != "</details>" && !line.starts_with("<summary>"))
      out += line + "\n";
    if (ends) fence.clear();
  }
  for (std::size_t at; (at = out.find("<!-- -->")) != std::string::npos;) out.replace(at, 8, "\x01");
  return out;
}

TEST(HostileText, CommentHoldsNothingToObey) {
  const std::string evil =
      "</details><img src=x> @admin #12 GH-7 https://evil.example www.evil.example [x](y) ![z](w)\n# h `c` "
      "| a **b**\u202e ::error::x ##[add-mask]y";
  Report report = sample::report({}, 1);
  for (CaseReport one : {sample::regressed_case(), sample::hung_case(), sample::passed_case()}) {
    one.reason = evil;
    one.name = one.owner = evil;
    if (!one.checks.empty()) one.checks[0].metric = one.checks[0].rule = evil;
    report.cases.push_back(one);
  }
  report.suite = report.run = report.host = report.platform = report.commit = evil;
  report.policy =
      TrustedPolicy{evil, evil, {{PolicyArea::rule, PolicyShift::loosened, evil, evil, evil, evil, {evil}}}};
  for (const auto language : {Language::english, Language::chinese}) {
    Style style;
    style.language = language;
    style.links = {"https://a.example/" + evil, evil, evil};
    const std::string prose = prose_of(comment(report, style));
    for (const char* obeyed : {"<", "://", "www.e", "\n# ", "\n::", "##[", "\u202e"})
      EXPECT_THAT(prose, Not(HasSubstr(obeyed)));
    EXPECT_THAT(prose, Not(testing::ContainsRegex("[^\\\\]\\]\\("))) << "no link";
    for (const char* reference : {"@admin", "#12", "GH-7"}) EXPECT_THAT(prose, Not(HasSubstr(reference)));
    EXPECT_THAT(prose, HasSubstr("\\@\x01"
                                 "admin"));
  }
}

TEST(HostileText, BlockIsFencedWithMoreBackticksThanItHolds) {
  CaseReport one = sample::hung_case();
  one.reason = "````` look";
  EXPECT_THAT(markdown(sample::report({one}, 4), Style{}), HasSubstr("``````text\nHUNG"));
}

TEST(HostileText, JsonReadsBack) {
  const Result<Report> back = schema::read_result(json(hostile_report(), Style{}), "result.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->cases.size(), 3u);
}

TEST(HostileText, CommandForANameThatCannotBeShownCanStillBePasted) {
  CaseReport one = sample::regressed_case();
  one.name = "a'b\xff\nc";
  EXPECT_THAT(text(sample::report({one}, 1), Style{}), HasSubstr("gate explain $'a\\'b\\xff\\x0ac' --run"));
}

TEST(HostileText, BlanksAndQuotesInANameAreQuotedForTheShell) {
  CaseReport one = sample::regressed_case();
  one.name = "pre train; rm -rf 'x'";
  EXPECT_THAT(text(sample::report({one}, 1), Style{}),
              HasSubstr("gate explain 'pre train; rm -rf '\\''x'\\''' --run"));
}

TEST(Width, EveryLineKeepsToItWhateverIsLong) {
  Report report = hostile_report();
  const std::string words = "many words that go on and on, ";
  for (CaseReport& one : report.cases) {
    one.name = std::string(300, 'n');
    for (int i = 0; i < 20; ++i) one.reason += words;
    one.notes = {plain_note(std::string(500, 'x')), plain_note(words + words + words + words)};
    one.owner = "训练门禁" + std::string(200, 'o');
    for (Check& check : one.checks) check.remarks = {shown::text(words + words + words)};
  }
  for (const int width : {40, 60, 79, 80, 81, 100, 132}) {
    expect_narrow(text(report, {Color::no, width, false, true}), width);
    expect_narrow(explain(report.cases[0].checks[0], {words + words + words + words}, {Color::no, width}),
                  width);
    expect_narrow(explain(report.cases[0].ungated, {Color::no, width}), width);
  }
}

TEST(Width, EveryLineKeepsToItWithWideCharacters) {
  CaseReport one = sample::hung_case();
  one.reason = {};
  one.name = "";
  for (int i = 0; i < 100; ++i) one.name += "训", one.reason += i % 7 == 0 ? "练 " : "练";
  for (int width = 40; width < 60; ++width)
    expect_narrow(text(sample::report({one}, 4), {Color::no, width, false, false}), width);
}

TEST(Width, VeryLongNameOfAPassedCaseIsCutAndItsTimeStays) {
  CaseReport one = sample::passed_case();
  one.name = "pretrain/" + std::string(200, 'x');
  const std::string out = text(sample::report({one}, 0), sample::columns_80());
  EXPECT_THAT(out, HasSubstr("\npassed pretrain/" + std::string(55, 'x') + "...  1.1s\n"));
}

TEST(Width, VeryLongNameOfARedCaseIsWhole) {
  CaseReport one = sample::hung_case();
  one.name = std::string(200, 'x');
  std::string joined;
  for (const std::string& line : lines_of(text(sample::report({one}, 4), sample::columns_80())))
    joined += trim(line);
  EXPECT_THAT(joined, HasSubstr("HUNG" + one.name));
}

TEST(Width, NoneIsNoLimit) {
  CaseReport one = sample::hung_case();
  one.reason = std::string(5000, 'r');
  EXPECT_THAT(text(sample::report({one}, 4), {Color::no, 0, false, false}),
              HasSubstr("\n  " + one.reason.english() + "\n"));
}

}  // namespace
}  // namespace gate::render::hostile_text_test
