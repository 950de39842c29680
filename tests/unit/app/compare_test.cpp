// Two sides, whatever words they are named by.
#include "gate/stored/compare.h"

#include <gmock/gmock.h>

#include "suite_of_files.h"

namespace gate::app::compare_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Sides : public SuiteOfFiles {
 protected:
  Answer<std::vector<Comparison>> compared_sides(const std::vector<std::string>& sides,
                                                 const std::string& case_name = "") {
    CompareOptions options;
    options.sides = sides;
    options.case_name = case_name;
    options.folder = root;
    options.charts = CompareOptions::Charts::yes;
    return compare(suite(), options);
  }

  Answer<Comparison> compared(const std::string& a, const std::string& b, const std::string& case_name = "") {
    return compared_sides({a, b}, case_name).map([](const auto& found) { return found.front(); });
  }

  std::string why_not(const std::string& a, const std::string& b, const std::string& case_name = "") {
    const auto found = compared(a, b, case_name);
    EXPECT_FALSE(found);
    return found ? "" : found.error().message;
  }

  static const ComparedSeries& loss(const Comparison& comparison) {
    return *std::ranges::find(comparison.cases.at(0).series, "lm_loss", &ComparedSeries::metric);
  }
};

TEST_F(Sides, TwoLogs) {
  const auto comparison = compared(log("a.log"), log("b.log", {"2.5", "2.4", "2.1"}));
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->a.kind, SideKind::log);
  EXPECT_EQ(loss(*comparison).difference.common, 3);
  EXPECT_EQ(loss(*comparison).difference.equal, 2);
  EXPECT_EQ(loss(*comparison).difference.first->number, 3);
  EXPECT_EQ(loss(*comparison).difference.first->delta, parse_value("-0.200000"));
  EXPECT_TRUE(has_common(*comparison));
  EXPECT_FALSE(is_same(*comparison));
  EXPECT_TRUE(is_same(*compared(at("a.log"), at("a.log"))));
}

TEST_F(Sides, SeveralLieOverOneAnother) {
  const auto found =
      compared_sides({log("a.log"), log("b.log", {"2.5", "2.4", "2.1"}), log("c.log", {"2.5", "2.4"})});
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(loss(found->at(0)).difference.first->number, 3);
  EXPECT_EQ(loss(found->at(1)).difference.first, std::nullopt);
  EXPECT_THAT(loss(found->at(1)).difference.only_a, ElementsAre(3));
  EXPECT_EQ(found->at(1).second, "C");
  EXPECT_EQ(found->at(1).cases[0].second, "C");
  EXPECT_THAT(found->at(1).cases[0].charts, IsEmpty()) << "they are in the first comparison";
  const Chart& chart = found->at(0).cases[0].charts.at(0);
  EXPECT_EQ(chart.title, "lm_loss");
  ASSERT_EQ(chart.curves.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(chart.curves[i].name, side_letter(i));
    EXPECT_EQ(chart.curves[i].side, i + 1);
  }
  EXPECT_EQ(chart.curves[1].values.back(), 2.1);
  EXPECT_EQ(chart.curves[2].values.back(), std::nullopt);
  EXPECT_EQ(chart.marks.at(0).x, 3);
}

TEST_F(Sides, ACaseStandsForItsBaseline) {
  script("x");
  baseline("x", log("a.log"));
  const auto comparison = compared("x", log("b.log", {"2.5", "2.4", "2.1"}));
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->a.kind, SideKind::baseline);
  EXPECT_EQ(comparison->cases.at(0).name, "x");
  ASSERT_TRUE(loss(*comparison).beyond) << "the case's rules say where it would fail";
  EXPECT_EQ(loss(*comparison).beyond->at.number, 3);
  EXPECT_EQ(loss(*comparison).beyond->rule, "lm_loss");
}

TEST_F(Sides, WhatOnlyOneSideHasIsListed) {
  put("with_norm.log", " iteration 1/ 1 | lm loss: 2.500000E+00 | grad norm: 1.5 |\n");
  put("without.log", " iteration 1/ 1 | lm loss: 2.500000E+00 |\n");
  const auto comparison = compared(at("with_norm.log"), at("without.log"));
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_THAT(comparison->cases[0].only_a, ElementsAre("grad_norm"));
  EXPECT_THAT(comparison->cases[0].only_b, IsEmpty());
  EXPECT_FALSE(is_same(*comparison));
}

TEST_F(Sides, ARuleThatReducesPutsItsValuesBesideEachOther) {
  script("x");
  put("gate.toml", "[rules.lm_loss]\nreduce = \"mean\"\n");
  const auto comparison = compared(log("a.log"), log("b.log", {"2.5", "2.4", "2.0"}), "x");
  ASSERT_TRUE(comparison) << comparison.error().message;
  ASSERT_TRUE(loss(*comparison).reduced);
  EXPECT_EQ(loss(*comparison).reduced->what, "mean of first 15");
  EXPECT_EQ(loss(*comparison).reduced->a, *parse_value("2.400000"));
  EXPECT_EQ(loss(*comparison).reduced->b, *parse_value("2.300000"));
}

TEST_F(Sides, WordsThatMeanNothingAreSaid) {
  log("a.log");
  script("x");
  EXPECT_THAT(why_not("-", "-"), HasSubstr("standard input can be one of the sides"));
  EXPECT_THAT(why_not(at("a.log"), "y"), HasSubstr("y"));
  EXPECT_THAT(why_not(at("a.log"), at("gone.log")), HasSubstr("gone.log"));
  EXPECT_THAT(why_not(at("a.log"), "x"), HasSubstr("x")) << "it has no baseline";
}

TEST_F(Sides, AFileSaysOfWhichCaseItIs) {
  script("x");
  script("y");
  baseline("x", log("a.log"));
  const auto comparison = compared(at("baselines/x.json"), at("a.log"), "y");
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_THAT(comparison->cases.at(0).notes,
              testing::Contains("A is of case x; settings and rules are those of y"));
}

}  // namespace
}  // namespace gate::app::compare_test
