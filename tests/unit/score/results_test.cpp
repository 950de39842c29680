#include "gate/score/results.h"

#include <gmock/gmock.h>

#include <cmath>

namespace gate::score::results_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

EvalTask task(std::string version, std::optional<std::int64_t> shots, std::optional<std::int64_t> samples) {
  return {"arc_easy", std::move(version), shots, samples};
}

TEST(WhyIncomparable, ScoresOfTheSameTaskAreComparable) {
  EXPECT_EQ(why_incomparable(task("1", 5, 100), task("1", 5, 100)), "");
  EXPECT_EQ(why_incomparable({}, {}), "");
}

TEST(WhyIncomparable, AnotherVersionCountOfShotsOrOfSamplesIsAnotherTask) {
  EXPECT_EQ(why_incomparable(task("1", 5, 100), task("2", 5, 100)), "task version 1 instead of 2");
  EXPECT_EQ(why_incomparable(task("1d7fe4 gen", {}, {}), task("1d7fe4 ppl", {}, {})),
            "task version 1d7fe4 gen instead of 1d7fe4 ppl");
  EXPECT_EQ(why_incomparable(task("1", 0, 100), task("1", 5, 100)), "0 shots instead of 5");
  EXPECT_EQ(why_incomparable(task("1", 1, 100), task("1", 5, 100)), "1 shot instead of 5");
  EXPECT_EQ(why_incomparable(task("1", 5, 10), task("1", 5, 100)), "10 samples instead of 100");
  EXPECT_EQ(why_incomparable(task("1", 5, 0), task("1", 5, 0)), "no sample was evaluated");
}

TEST(WhyIncomparable, WhatOneSideAloneTellsKeepsThemApart) {
  EXPECT_EQ(why_incomparable(task("", 5, 100), task("2", 5, 100)), "only one side tells the task's version");
  EXPECT_EQ(why_incomparable(task("2", 5, 100), task("2", {}, 100)), "only one side tells its shots");
  EXPECT_EQ(why_incomparable(task("2", 5, {}), task("2", 5, 100)), "only one side tells its samples");
}

TEST(WhyIncomparable, AVersionIsShownHarmlessly) {
  EXPECT_THAT(why_incomparable(task("\x1b[2J", {}, {}), task("1", {}, {})),
              AllOf(HasSubstr("\\x1b[2J"), HasSubstr("instead of 1")));
}

TEST(ShareError, IsThatOfWilson) {
  EXPECT_NEAR(share_error(0.5, 100), 0.049752, 1e-6);
  EXPECT_NEAR(share_error(0.97, 100), 0.017600, 1e-6);
  EXPECT_NEAR(share_error(1, 100), 0.004950, 1e-6);
  for (const double none : {-0.1, 1.1, std::nan("")}) EXPECT_EQ(share_error(none, 100), 0);
  EXPECT_EQ(share_error(0.5, 0), 0);
}

}  // namespace
}  // namespace gate::score::results_test
