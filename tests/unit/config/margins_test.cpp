#include "gate/config/margins.h"

#include <gmock/gmock.h>

#include "gate/config/policy.h"

namespace gate::config::margins_test {
namespace {

TEST(Margins, BoundTheBadSideOfTheirMetric) {
  EXPECT_EQ(tolerance_of("lm_loss", "0.02"), "±2%");
  EXPECT_EQ(tolerance_of("grad_norm", "0.10"), "±10%");
  EXPECT_EQ(tolerance_of("iteration_time", "0.1"), "+10%");
  EXPECT_EQ(tolerance_of("throughput", "0.1"), "-10%");
  EXPECT_EQ(tolerance_of("memory_max_allocated", "2.5e-2"), "+2.5%");
  for (const char* margin : {"", "0", "-0.1", "nan", "101", "1e300", "x"})
    EXPECT_EQ(tolerance_of("lm_loss", margin), "") << margin;
}

TEST(Margins, MakeABlockForEachCase) {
  const CaseMargins cases[] = {{"a", {{"lm_loss", "0.02"}}}, {"b", {}}, {"c", {{"lm_loss", "0.02"}}}};
  EXPECT_EQ(
      margin_blocks(cases, 3),
      "[case.\"a\".rules]\nlm_loss.tolerance = \"±2%\"\n[case.\"c\".rules]\nlm_loss.tolerance = \"±2%\"\n");
}

TEST(Margins, AreOneBlockWhereTheWholeSuiteHasThem) {
  const CaseMargins cases[] = {{"a", {{"lm_loss", "0.02"}}}, {"b", {{"lm_loss", "0.02"}}}};
  EXPECT_EQ(margin_blocks(cases, 2), "[case.\"**\".rules]\nlm_loss.tolerance = \"±2%\"\n");
  EXPECT_EQ(margin_blocks(cases, 3).find("**"), std::string::npos);
  const CaseMargins none[] = {{"a", {}}, {"b", {}}};
  EXPECT_EQ(margin_blocks(none, 2), "");
}

TEST(Margins, ThatNoBlockCanSayAreComments) {
  const CaseMargins cases[] = {{"a\x01", {{"lm_loss", "0.02"}}}, {"b", {{"grad_norm", "0"}}}};
  EXPECT_EQ(margin_blocks(cases, 2),
            "# [case.\"a\\x01\".rules]\n# lm_loss.tolerance = \"±2%\"\n"
            "[case.\"b\".rules]\n# grad_norm.tolerance = ? the file's margin is 0\n");
}

TEST(Margins, OfCasesWithoutAScriptAreComments) {
  const CaseMargins cases[] = {
      {"a", {{"lm_loss", "0.02"}}}, {"b", {{"lm_loss", "0.1"}}, false}, {"c", {}, false}};
  EXPECT_EQ(margin_blocks(cases, 1),
            "[case.\"a\".rules]\nlm_loss.tolerance = \"±2%\"\n# no script of this case yet\n"
            "# [case.\"b\".rules]\n# lm_loss.tolerance = \"±10%\"\n");
  EXPECT_EQ(margin_blocks(std::span(cases).subspan(2), 0), "");
}

TEST(Margins, CanBePasted) {
  const CaseMargins cases[] = {{"a/b \"c\" \\d *[1]?",
                                {{"lm_loss", "0.02"},
                                 {"throughput", "0.08"},
                                 {"iteration_time", "0.1"},
                                 {"memory_allocated", "0.1"}}}};
  const auto policy = Policy::parse(margin_blocks(cases, 1), "gate.toml");
  ASSERT_TRUE(policy) << to_string(policy.error());
  const std::string name = cases[0].case_name;
  EXPECT_TRUE(policy->unmatched_blocks(std::span(&name, 1)).empty());
}

}  // namespace
}  // namespace gate::config::margins_test
