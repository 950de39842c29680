#include "render/words/formula_words.h"

#include <gmock/gmock.h>

#include "shown.h"

namespace gate::render::formula_test {
namespace {

using testing::ElementsAre;

using shown::value;

std::vector<Sentence> put_in(std::string_view tolerance, std::string_view actual, std::string_view baseline) {
  return formula(parse_tolerance(tolerance).value(), {value(actual), value(baseline)});
}

TEST(Formula, AbsoluteBothSides) {
  EXPECT_THAT(put_in("±0.01", "10.47114", "10.46010"), ElementsAre("|10.47114 - 10.46010| = 0.01104 > 0.01"));
  EXPECT_THAT(put_in("±0.01", "1.24", "1.23"), ElementsAre("|1.24 - 1.23| = 0.01 <= 0.01"));
  EXPECT_THAT(put_in("±0.01", "1.047114E+01", "1.046010E+01"),
              ElementsAre("|10.47114 - 10.46010| = 0.01104 > 0.01"));
}

TEST(Formula, RelativeBothSides) {
  EXPECT_THAT(put_in("±2%", "10.7", "10.4"), ElementsAre("|10.7 - 10.4| = 0.3 > 2 % of |10.4| = 0.208"));
}

TEST(Formula, OneSided) {
  EXPECT_THAT(put_in("-5%", "127.40", "134.17"), ElementsAre("127.40 >= 134.17 - 5 % = 127.4615 is false"));
  EXPECT_THAT(put_in("+10%", "13.75", "12.5"), ElementsAre("13.75 <= 12.5 + 10 % = 13.75 is true"));
  EXPECT_THAT(put_in("+10%", "13.76", "12.5"), ElementsAre("13.76 <= 12.5 + 10 % = 13.75 is false"));
  EXPECT_THAT(put_in("-0.05", "0.7", "0.76"), ElementsAre("0.7 >= 0.76 - 0.05 = 0.71 is false"));
  EXPECT_THAT(put_in("-5%", "-1.1", "-1.0"), ElementsAre("-1.1 >= -1.0 - 5 % of |-1.0| = -1.05 is false"));
}

TEST(Formula, WithoutABaseline) {
  EXPECT_THAT(put_in(">= 0.75", "0.7", ""), ElementsAre("0.7 >= 0.75 is false"));
  EXPECT_THAT(put_in("<= 5000", "5000", ""), ElementsAre("5000 <= 5000 is true"));
  EXPECT_THAT(put_in("== 0", "0.0", ""), ElementsAre("0.0 == 0 is true"));
  EXPECT_THAT(put_in("> 0.90", "0.9", ""), ElementsAre("0.9 > 0.90 is false"));
  EXPECT_THAT(put_in("> 0.9", "0.91", ""), ElementsAre("0.91 > 0.9 is true"));
  EXPECT_THAT(put_in("< 5", "5", ""), ElementsAre("5 < 5 is false"));
  EXPECT_THAT(put_in("!= 0", "0", ""), ElementsAre("0 != 0 is false"));
  EXPECT_THAT(put_in("<= 2%", "2.0", "1"), ElementsAre("2.0 <= 2% is true"));
}

TEST(Formula, ExactComparesValues) {
  EXPECT_THAT(put_in("exact", "1.50", "1.5"), ElementsAre("1.50 == 1.5 is true"));
  EXPECT_THAT(put_in("exact", "1.51", "1.5"), ElementsAre("1.51 == 1.5 is false"));
}

TEST(Formula, EveryBoundHasItsLine) {
  EXPECT_THAT(put_in("±0.01 or ±1% and >= 2", "1.52", "1.5"),
              ElementsAre("|1.52 - 1.5| = 0.02 > 0.01", "or |1.52 - 1.5| = 0.02 > 1 % of |1.5| = 0.015",
                          "and 1.52 >= 2 is false"));
  EXPECT_THAT(formula(parse_tolerance("±0.01 or ±1%").value(), {value("1.52"), value("1.5"), {}, false}),
              ElementsAre("|1.52 - 1.5| = 0.02 > 0.01", "and |1.52 - 1.5| = 0.02 > 1 % of |1.5| = 0.015"))
      << "of what fails no alternative holds";
}

TEST(Formula, SingleBoundSaysWhatTheCheckSays) {
  EXPECT_THAT(
      formula(parse_tolerance("-5%").value(), {value("127.47"), value("134.17"), value("127.48"), false}),
      ElementsAre("127.47 >= 134.17 - 5 % = 127.48 is false"));
}

TEST(Formula, WhatIsNoNumberNeverPasses) {
  EXPECT_THAT(put_in("±0.01", "nan", "1.5"), ElementsAre("actual nan: never within a tolerance"));
  EXPECT_THAT(put_in("±0.01", "", "1.5"), ElementsAre("actual nothing: never within a tolerance"));
  EXPECT_THAT(put_in("±0.01", "1.5", "inf"), ElementsAre("baseline inf: nothing to compare 1.5 with"));
}

TEST(Formula, ABaselineThatNamesTheStepWithoutAValueSaysSo) {
  EXPECT_THAT(put_in("exact", "1.5", "left out"),
              ElementsAre("baseline not recorded: nothing to compare 1.5 with"));
  EXPECT_THAT(formula({}, {value("1"), value("2")}), ElementsAre());
}

}  // namespace
}  // namespace gate::render::formula_test
