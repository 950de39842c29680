// What servers refuse is never written: 2,000 red cases with hostile names, 2,000 failing checks, and any
// cap.
#include <gmock/gmock.h>

#include <algorithm>

#include <pugixml.hpp>

#include "gate/base/text.h"
#include "sample_reports.h"

namespace gate::render::caps_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string hostile = "]]>`````|<script>@all **x**\n# \x01\xff";

constexpr int many = SANITIZED ? 600 : 2000;

Report red_cases(int count) {
  Report report = sample::report({}, 1);
  for (int i = 0; i < count; ++i) {
    CaseReport one = sample::regressed_case();
    one.name = hostile + std::to_string(i);
    one.steps = 29;  // of 30: it moved with no other
    one.reason = hostile + std::string(1000, 'r');
    one.checks[0].remarks = {shown::text(one.reason.english())};
    report.cases.push_back(one);
    report.cases.push_back(sample::passed_case());
  }
  return report;
}

Report failing_checks(int count) {
  CaseReport one = sample::regressed_case();
  for (int i = 0; i < count; ++i) {
    one.checks.push_back(sample::failed_loss());
    one.checks.back().rule = one.checks.back().metric = hostile + std::to_string(i);
    one.checks.back().remarks = {shown::text(std::string(i == 0 ? 100'000 : 100, 'n'))};
  }
  return sample::report({one}, 1);
}

// Every fence and part that is opened is closed, and outside of blocks a line is a heading, a row, a red
// case or a word of ours.
void expect_whole(const std::string& markdown) {
  std::string fence;
  int open = 0;
  for (const std::string_view line : split(markdown, '\n')) {
    const bool is_fence = line.starts_with("```");
    if (is_fence && fence.empty()) {
      fence = line.substr(0, line.find_first_not_of('`'));
      EXPECT_TRUE(line.ends_with("text"));
    } else if (line == fence) {
      fence = "";
    } else if (fence.empty()) {
      const auto begins = [&](const char* word) { return line.starts_with(word); };
      EXPECT_TRUE(line.empty() || begins("### RED") || begins("| ") || begins("gate 1.0.0") ||
                  begins("and ") || begins("lm_loss: ") || begins("throughput: ") || begins("- ") ||
                  begins("<summary>") || begins("<details>") || begins("</details>"))
          << line;
      open += begins("<details>") ? 1 : begins("</details>") ? -1 : 0;
      EXPECT_GE(open, 0);
      EXPECT_EQ(begins("| "), line.ends_with(" |"));
    }
  }
  EXPECT_EQ(fence, "");
  EXPECT_EQ(open, 0);
}

TEST(Caps, MarkdownNeverGrowsBeyondThem) {
  for (const Report& report : {red_cases(many), failing_checks(many)})
    for (const auto& [out, most] : {std::pair{markdown(report, Style{}), summary_bytes},
                                    std::pair{comment(report, Style{}), comment_bytes}}) {
      EXPECT_LE(out.size(), most);
      expect_whole(out);
    }
}

TEST(Caps, AnyCapGivesWholePieces) {
  const Report report = red_cases(10);
  constexpr std::size_t near = SANITIZED ? 211 : 13, far = SANITIZED ? 7919 : 997;
  for (std::size_t most = 0; most < 40'000; most += most < 3000 ? near : far) {
    const std::string out = markdown_within(report, Style{}, most);
    ASSERT_LE(out.size(), most);
    expect_whole(out);
  }
}

std::size_t lines_that_begin(const std::string& text, const char* word) {
  std::size_t count = 0;
  for (const std::string_view line : split(text, '\n')) count += line.starts_with(word) ? 1 : 0;
  return count;
}

TEST(Caps, WhatIsLeftOutIsCounted) {
  const std::string out = comment(red_cases(many), Style{});
  const std::size_t lines = lines_that_begin(out, "- REGRESSED **");
  EXPECT_GT(lines, 100u);
  const auto more = [](std::size_t count) {
    return "\n\nand " + std::to_string(count) + " more: gate -v report 1121-0203\n\n";
  };
  EXPECT_THAT(out, HasSubstr(more(many - lines)));
  EXPECT_THAT(out,
              HasSubstr("<summary>the red cases in full</summary>\n\n" + more(many).substr(1) + "</details>"))
      << "the lines take the room";
  EXPECT_THAT(out, HasSubstr("| --- |\n" + more(many).substr(1) + "</details>"));
}

// Forty red cases of 45, with names and values as long as those of a real suite.
TEST(Caps, ACommentOfFortyRedCasesIsBelowTenKilobytes) {
  Report report = sample::report({}, 1);
  for (int i = 0; i < 45; ++i) {
    report.cases.push_back(i < 40 ? sample::regressed_case() : sample::passed_case());
    if (i < 40) report.cases.back().steps = 29;  // of 30: it moved with no other
    report.cases.back().name =
        "pretrain/deepseek3/pretrain_deepseek3_671b_4k_tp8_pp4_ep16_cp2_ptd_" + std::to_string(i);
    report.cases.back().artifacts = {
        {"log", "/builds/llm/gate-run/" + report.cases.back().name + "/log.txt"}};
  }
  const std::string out = comment(report, Style{});
  EXPECT_LT(out.size(), 10'000u);
  EXPECT_EQ(lines_that_begin(out, "- REGRESSED **pretrain/"), 40u);
  EXPECT_LT(out.find("- REGRESSED"), out.find("<details>"));
  EXPECT_EQ(lines_that_begin(out, "| pretrain/"), 5u) << out;
  EXPECT_GE(lines_that_begin(out, "```text"), 1u);
  expect_whole(out);
}

TEST(Caps, AGreenCommentIsShort) {
  Report report = sample::report({}, 0);
  report.cases.assign(500, sample::passed_case());
  const std::string out = comment(report, Style{});
  EXPECT_LT(out.size(), 10'000u);
  EXPECT_GT(lines_that_begin(out, "| tinygpt/dp2 |"), 50u);
}

TEST(Caps, JUnitBodiesAreCutAndSaySo) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(junit(failing_checks(many), Style{}).c_str()));
  const pugi::xml_node test = document.child("testsuites").child("testsuite").child("testcase");
  const std::string body = test.child("failure").child_value();
  EXPECT_THAT(body, StartsWith("REGRESSED tinygpt/dp2"));
  EXPECT_THAT(body, HasSubstr(" lines more: gate -v report 1121-0203\n"));
  EXPECT_LE(body.size(), 16'384u);
}

}  // namespace
}  // namespace gate::render::caps_test
