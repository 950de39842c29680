#include "render/words/figures.h"

#include <gtest/gtest.h>

#include "sample_reports.h"

namespace gate::render::figures_test {
namespace {

// Of a baseline of 134.17 and a limit of 127.4615: 6.7085 are allowed.
Figures of_speed(CheckStatus status, const std::string& actual, const std::string& margin) {
  Check check = sample::speed(status, actual, "");
  check.margin = shown::value(margin);
  return figures_of(check);
}

TEST(Figures, WithinHalfOfTheToleranceIsTheBaseline) {
  for (const char* actual : {"133.6", "134.17", "130.9", "137.5"}) {
    const Figures figures = of_speed(CheckStatus::pass, actual, "6.1");
    EXPECT_EQ(figures.baseline, "134.17");
    EXPECT_EQ(figures.actual, "134.17") << actual;
    EXPECT_EQ(figures.margin, "6.7");
    EXPECT_EQ(figures.used, "0.0");
  }
}

TEST(Figures, WhatMovedIsRoundedToATenthOfTheTolerance) {
  const Figures passed = of_speed(CheckStatus::pass, "128.4321", "0.9706");
  EXPECT_EQ(passed.actual, "128.4");
  EXPECT_EQ(passed.margin, "1.0");
  EXPECT_EQ(passed.used, "0.8");
  const Figures failed = of_speed(CheckStatus::fail, "120.0444", "-7.4171");
  EXPECT_EQ(failed.actual, "120.0");
  EXPECT_EQ(failed.margin, "-7.4");
  EXPECT_EQ(failed.used, "2.2");
}

TEST(Figures, NeverRoundedOverTheLimit) {
  EXPECT_EQ(of_speed(CheckStatus::fail, "127.46", "-0.0015").used, "1.1");
  EXPECT_EQ(of_speed(CheckStatus::pass, "127.47", "0.0085").used, "0.9");
}

TEST(Figures, BetterThanTheBaselineUsesLessThanNothing) {
  EXPECT_EQ(of_speed(CheckStatus::pass, "147.587", "20.1255").used, "-2.0");
}

TEST(Figures, WhereEachValueIsComparedOnlyTheShareOfTheTolerance) {
  const Figures figures = figures_of(sample::failed_loss());
  EXPECT_EQ(figures.used, "60.0");
  EXPECT_EQ(figures.actual + figures.baseline + figures.margin, "");
  EXPECT_EQ(figures_of(sample::loss(CheckStatus::pass)).used, "");
}

TEST(Figures, AgainstAConstantThreeDigits) {
  Check check = sample::speed(CheckStatus::pass, "0.812345", "");
  check.baseline = shown::value("");
  check.limit = shown::limit("0.75");
  check.margin = shown::value("0.062345");
  EXPECT_EQ(figures_of(check).actual, "0.812");
  EXPECT_EQ(figures_of(check).margin, "0.0623");
  EXPECT_EQ(figures_of(check).used, "");
}

TEST(Figures, LargeAndSmallNumbersKeepTheirSize) {
  Check check = sample::speed(CheckStatus::fail, "43210987", "");
  check.baseline = shown::value("65536000");
  check.limit = shown::limit("62259200");
  check.margin = shown::value("-19048213");
  EXPECT_EQ(figures_of(check).actual, "43200000");
  check.actual = shown::value("2.0e-12"), check.baseline = shown::value("1.0e-12"),
  check.limit = shown::limit("1.1e-12"), check.margin = shown::value("-9e-13");
  EXPECT_EQ(figures_of(check).actual, "2e-12");
}

TEST(Figures, WhatIsNoNumberIsNotThere) {
  const Figures figures = of_speed(CheckStatus::fail, "nan", "");
  EXPECT_EQ(figures.actual + figures.margin + figures.used, "");
  EXPECT_EQ(figures.baseline, "134.17");
}

}  // namespace
}  // namespace gate::render::figures_test
