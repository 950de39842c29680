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

constexpr int many = SANITIZED ? 300 : 2000;

Report red_cases(int count) {
  Report report = sample::report({}, 1);
  for (int i = 0; i < count; ++i) {
    CaseReport one = sample::regressed_case();
    one.name = hostile + std::to_string(i);
    one.reason = hostile + std::string(1000, 'r');
    one.checks[0].remarks = {shown::text(one.reason)};
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

// Every fence that is opened is closed, and outside of blocks a line is a heading, a row or a word of ours.
void expect_whole(const std::string& markdown) {
  std::string fence;
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
                  begins("and ") || begins("lm_loss: ") || begins("throughput: "))
          << line;
      EXPECT_EQ(begins("| "), line.ends_with(" |"));
    }
  }
  EXPECT_EQ(fence, "");
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
    const std::string out = markdown_within(report, most);
    ASSERT_LE(out.size(), most);
    expect_whole(out);
  }
}

TEST(Caps, WhatIsLeftOutIsCounted) {
  const std::string out = comment(red_cases(many), Style{});
  std::size_t rows = 0;
  for (const std::string_view line : split(out, '\n')) rows += line.starts_with("| ") ? 1 : 0;
  rows -= 2;  // the head and the line below it
  EXPECT_GT(rows, 5u);
  EXPECT_TRUE(out.find("| tinygpt/dp2 |") == std::string::npos) << "no green case before a red one";
  EXPECT_THAT(out.substr(out.find("\n\nand ")),
              StartsWith("\n\nand " + std::to_string(2 * many - rows) + " cases more, " +
                         std::to_string(many - rows) + " of them red: gate -v report 1121-0203\n"));
  EXPECT_NE(out.find("text\nREGRESSED "), std::string::npos) << "blocks have their share";
}

TEST(Caps, GreenRunUsesAllOfIt) {
  Report report = sample::report({}, 0);
  report.cases.assign(500, sample::passed_case());
  EXPECT_GT(comment(report, Style{}).size(), comment_bytes / 2);
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
