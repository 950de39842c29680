// A second profile's verdicts, in every report that people read.
#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "render/words/totals.h"
#include "sample_reports.h"

namespace gate::render::shadow_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CaseReport shadowed(CaseReport one, Verdict verdict, std::string reason) {
  one.profile = "megatron";
  one.shadow = Shadow{"gate", verdict, std::move(reason), {}};
  return one;
}

CaseReport would_be_red() {
  return shadowed(sample::passed_case(), Verdict::regressed, "lm_loss step 3: |d| = 0.02 > 0.01");
}

CaseReport stays_red() { return shadowed(sample::regressed_case(), Verdict::regressed, "lm_loss step 2"); }

std::vector<CaseReport> many(int count) {
  std::vector<CaseReport> cases;
  for (int i = 1; i <= count; ++i) {
    cases.push_back(would_be_red());
    cases.back().name = "case" + std::to_string(i);
  }
  return cases;
}

TEST(ShadowText, NamesTheProfileAndWhatTheOtherOneWouldSay) {
  EXPECT_EQ(text(sample::report({would_be_red(), sample::skipped_case()}, 0), sample::columns_80()),
            R"(gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4  profile
  megatron
2 cases, 1h52m: 1 passed, 1 SKIPPED   speed gated in 1
under profile gate 1 of 1 would be red: tinygpt/dp2
passed tinygpt/dp2  lm_loss 15 steps, throughput -0.4 %, memory 2 ranks ok  1.1s
  shadow   profile gate: regressed, lm_loss step 3: |d| = 0.02 > 0.01
skipped llama2_tp2_pp4_vpp2  needs platform ascend-*, this is cpu
GREEN: 1 passed, 1 skipped (exit 0)
)");
}

TEST(ShadowText, SaysNothingOfACaseWhereBothAgree) {
  const std::string out = text(sample::report({stays_red()}, 1), sample::columns_80());
  EXPECT_THAT(out, HasSubstr("under profile gate 1 of 1 would be red: tinygpt/dp2\n"));
  EXPECT_THAT(out, Not(HasSubstr("shadow")));
}

TEST(ShadowText, ARedCaseThatWouldBeGreenSaysSo) {
  const CaseReport one = shadowed(sample::regressed_case(), Verdict::passed, "all within");
  const std::string out = text(sample::report({one}, 1), sample::columns_80());
  EXPECT_THAT(out, HasSubstr("under profile gate 0 of 1 would be red\n"));
  EXPECT_THAT(out, HasSubstr("  shadow   profile gate: passed, all within\n"));
}

TEST(ShadowText, WithoutASecondProfileThereIsNothing) {
  const Report report = sample::report({sample::passed_case()}, 0);
  EXPECT_EQ(shadow_words(report), "");
  EXPECT_EQ(profile_of(report), "");
  EXPECT_THAT(text(report, sample::columns_80()), Not(HasSubstr("profile")));
}

TEST(ShadowText, AShadowThatWouldSkipIsNotRed) {
  const CaseReport one = shadowed(sample::passed_case(), Verdict::skipped, "");
  EXPECT_EQ(shadow_words(sample::report({one}, 0)), "under profile gate 0 of 1 would be red");
  EXPECT_EQ(shadow_words(one), "profile gate: skipped");
}

TEST(ShadowText, ManyCasesAreCounted) {
  EXPECT_THAT(shadow_words(sample::report(many(20), 0)).english(), testing::EndsWith("case19, case20"));
  EXPECT_EQ(
      shadow_words(sample::report(many(21), 0)),
      "under profile gate 21 of 21 would be red: case1, case2, case3, case4, case5, case6, case7, case8, "
      "case9, case10, ... and 11 more");
  const std::string out = text(sample::report(many(21), 0), sample::columns_80());
  EXPECT_THAT(out, HasSubstr("passed case21 "));
  EXPECT_THAT(out, HasSubstr("  shadow   profile gate: regressed")) << "also where notes are only counted";
}

TEST(ShadowMarkdown, ListsTheGreenCasesThatDiffer) {
  const std::string out = markdown(sample::report({would_be_red()}, 0), Style{});
  EXPECT_THAT(out, HasSubstr("\n\nunder profile gate 1 of 1 would be red: tinygpt/dp2\n\n"));
  EXPECT_THAT(out, HasSubstr("\n- tinygpt/dp2: profile gate: regressed, lm_loss step 3: "));
  EXPECT_THAT(markdown(sample::report({stays_red()}, 1), Style{}), Not(HasSubstr("\n- tinygpt/dp2")));
}

TEST(ShadowJUnit, IsAPropertyAndInTheCasesTextAndChangesNoCount) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(junit(sample::report({would_be_red()}, 0), Style{}).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("failures").value(), "0");
  EXPECT_STREQ(suite.attribute("tests").value(), "1");
  const auto property = [&](const char* name) -> std::string {
    return suite.child("properties").find_child_by_attribute("name", name).attribute("value").value();
  };
  EXPECT_EQ(property("profile"), "megatron");
  EXPECT_EQ(property("shadow"), "under profile gate 1 of 1 would be red: tinygpt/dp2");
  EXPECT_THAT(suite.child("testcase").child("system-out").child_value(),
              HasSubstr("shadow   profile gate: regressed, lm_loss step 3: "));
}

}  // namespace
}  // namespace gate::render::shadow_test
