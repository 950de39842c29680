// Values, numbers and names: each function at its edges.
#include "gate/words/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "shown.h"

namespace gate::words::values_test {
namespace {

using shown::limit;
using shown::steps;
using shown::value;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Value v(std::string_view word) { return value(word).value(); }

TEST(ValueText, IsAsPrinted) {
  for (const char* word :
       {"0", "-0.0", "0.00", "10.46010", "-7", "0.00000015", "nan", "inf", "-inf", "left out"})
    EXPECT_EQ(value_text(v(word)), word == std::string("-0.0") ? "0.0" : word);
  EXPECT_EQ(value_text(v("1e3")), "1000");
  EXPECT_EQ(value_text(v("1.5E-3")), "0.0015");
  EXPECT_EQ(value_text(v("123456789012345678901234567890")), "1.23456789012345678901234567890E+29");
  EXPECT_EQ(value_text(v("0.000000000000000000000000000001")), "1E-30");
  EXPECT_EQ(value_text(std::optional<Value>()), "");
}

TEST(ValueText, SaysOnWhichSideThereIsNone) {
  EXPECT_EQ(baseline_text(value("left out")), "not recorded");
  EXPECT_EQ(baseline_text(value("nan")), "nan");
  EXPECT_EQ(baseline_text({}), "");
  EXPECT_EQ(actual_text(value("left out")), "left out");
  EXPECT_EQ(actual_text(value("2.5")), "2.5");
  EXPECT_EQ(actual_text({}), "not in the run");
}

TEST(SignedText, HasASignButOfZeroAndOfWhatIsNoNumber) {
  EXPECT_EQ(signed_text(v("0.01104")), "+0.01104");
  EXPECT_EQ(signed_text(v("-0.01104")), "-0.01104");
  EXPECT_EQ(signed_text(v("0")), "0");
  EXPECT_EQ(signed_text(v("0.000")), "0.000");
  EXPECT_EQ(signed_text(v("inf")), "+inf");
  EXPECT_EQ(signed_text(v("-inf")), "-inf");
  EXPECT_EQ(signed_text(v("nan")), "nan");
  EXPECT_EQ(signed_text(v("left out")), "left out");
  EXPECT_EQ(signed_text(std::optional<Value>()), "");
}

TEST(PercentText, HasThreeSignificantDigits) {
  EXPECT_EQ(percent_text(0.0), "0 %");
  EXPECT_EQ(percent_text(-0.0), "0 %");
  EXPECT_EQ(percent_text(5.0), "+5 %");
  EXPECT_EQ(percent_text(-5.0499), "-5.05 %");
  EXPECT_EQ(percent_text(12.345), "+12.3 %");
  EXPECT_EQ(percent_text(99.96), "+100 %");
  EXPECT_EQ(percent_text(0.0001234), "+0.000123 %");
  EXPECT_EQ(percent_text(-1e-9), "-1e-09 %");
  EXPECT_EQ(percent_text(999.4), "+999 %");
  EXPECT_EQ(percent_text(999.5), "+1000 %") << "and no exponent from here on";
  EXPECT_EQ(percent_text(-1234.5), "-1234 %");
  EXPECT_EQ(percent_text(1e9), "+1000000000 %");
  EXPECT_EQ(percent_text(INFINITY), "+inf %");
  EXPECT_EQ(percent_text({}), "");
}

TEST(MovedText, HasThePercentageOfWhatThereIs) {
  EXPECT_EQ(moved_text(value("0.01104"), 0.1055), "+0.01104 (+0.105 %)");
  EXPECT_EQ(moved_text(value("-7"), -100), "-7 (-100 %)");
  EXPECT_EQ(moved_text(value("0.01"), {}), "+0.01");
  EXPECT_EQ(moved_text(value("0"), 0), "0 (0 %)");
  EXPECT_EQ(moved_text({}, 5), "");
  EXPECT_EQ(moved_text({}, {}), "");
}

TEST(LimitText, TellsEachEnd) {
  EXPECT_EQ(limit_text({}), "");
  EXPECT_EQ(limit_text(limit("5")), "5");
  EXPECT_EQ(limit_text(limit("-1..1")), "-1..1");
  EXPECT_EQ(limit_text(limit("1..1")), "1");
  EXPECT_EQ(limit_text({{value("0.9"), {}, true, false}}), "> 0.9");
  EXPECT_EQ(limit_text({{value("0.9"), {}, false, false}}), "0.9");
  EXPECT_EQ(limit_text({{{}, value("2"), false, true}}), "< 2");
  EXPECT_EQ(limit_text({{value("1"), value("2"), false, true}}), "1..< 2");
  EXPECT_EQ(limit_text({{value("1"), value("1"), true, true}}), "> 1..< 1");
  EXPECT_EQ(limit_text({{value("1"), value("1"), true, false}}), "> 1..1");
  EXPECT_EQ(limit_text({{}}), "any");
  EXPECT_EQ(limit_text({limit("1..2")[0], limit("8..9")[0]}), "1..2 or 8..9");
}

TEST(RangesText, TellsRunsAndSteps) {
  EXPECT_EQ(ranges_text(StepSet()), "");
  EXPECT_EQ(ranges_text(steps("7")), "7");
  EXPECT_EQ(ranges_text(steps("7-8")), "7, 8");
  EXPECT_EQ(ranges_text(steps("7-9")), "7-9");
  EXPECT_EQ(ranges_text(steps("1-3, 7")), "1-3, 7");
  EXPECT_EQ(ranges_text(steps("0, 5, 10, 15")), "0-15 by 5");
  EXPECT_EQ(ranges_text(steps("0, 5, 10")), "0, 5, 10");
  const std::vector<std::int64_t> far{largest - 3, largest - 2, largest - 1, largest};
  EXPECT_EQ(ranges_text(StepSet(far)), "9223372036854775804-9223372036854775807");
}

// Of a list that is cut as much is told as 100 letters hold, and how many there are.
TEST(RangesText, CutsLongLists) {
  std::vector<std::int64_t> squares;
  for (std::int64_t root = 1; root <= 40; ++root) squares.push_back(root * root);
  EXPECT_EQ(
      ranges_text(StepSet(squares)),
      "1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484, "
      "... (40 in all)");
  squares.resize(22);
  EXPECT_EQ(
      ranges_text(StepSet(squares)),
      "1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484");
}

TEST(NumbersText, CountsWhatTheyAreOf) {
  EXPECT_EQ(numbers_text(steps("5"), Numbering::step), "step 5");
  EXPECT_EQ(numbers_text(steps("5"), Numbering::report), "report 5");
  EXPECT_EQ(numbers_text(steps("1, 2"), Numbering::step), "steps 1 and 2");
  EXPECT_EQ(numbers_text(steps("1, 9"), Numbering::report), "reports 1 and 9");
  EXPECT_EQ(numbers_text(steps("1-3, 7"), Numbering::step), "steps 1-3, 7");
  EXPECT_EQ(number_text(0, Numbering::step), "step 0");
  EXPECT_EQ(number_text(largest, Numbering::report), "report 9223372036854775807");
}

TEST(RanksText, TellsThoseThatAreRanks) {
  using Ranks = std::vector<std::optional<int>>;
  EXPECT_EQ(ranks_text(Ranks{}), "");
  EXPECT_EQ(ranks_text(Ranks{{}}), "");
  EXPECT_EQ(ranks_text(Ranks{3}), "rank 3");
  EXPECT_EQ(ranks_text(Ranks{5, {}, 4}), "ranks 4 and 5");
  EXPECT_EQ(ranks_text(Ranks{7, 5, 6, 4}), "ranks 4-7");
  EXPECT_EQ(ranks_text(Ranks{0, 2, 4, 6}), "ranks 0, 2, 4, 6") << "ranks are told one by one";
}

TEST(Names, AreToldWithTheirRankAndAsPeopleSayThem) {
  EXPECT_EQ(label("lm_loss", {}), "lm_loss");
  EXPECT_EQ(label("memory", 0), "memory rank 0");
  EXPECT_EQ(label("", 3), " rank 3");
  EXPECT_EQ(spoken("lm_loss"), "lm loss");
  EXPECT_EQ(spoken("a__b_"), "a  b ");
  EXPECT_EQ(spoken(""), "");
}

TEST(Both, JoinsWhatThereIs) {
  EXPECT_EQ(both("a", "b"), "a; b");
  EXPECT_EQ(both("", "b"), "b");
  EXPECT_EQ(both("a", ""), "a");
  EXPECT_EQ(both("", ""), "");
}

// What a hole of numbers takes is what these functions write.
TEST(NumbersText, AreToldInChinese) {
  const auto told = [](std::string_view numbers, Numbering numbered = Numbering::step) {
    return numbers_text(steps(numbers), numbered).in(Language::chinese);
  };
  EXPECT_EQ(told("5"), "第 5 步");
  EXPECT_EQ(told("1, 2"), "第 1 和 2 步");
  EXPECT_EQ(told("1-3, 7"), "第 1-3, 7 步");
  EXPECT_EQ(told("10, 20, 30, 40"), "第 10-40 每隔 10 步");
  std::vector<std::int64_t> squares;
  for (std::int64_t root = 11; root <= 40; ++root) squares.push_back(root * root);
  EXPECT_EQ(
      numbers_text(squares, Numbering::step).in(Language::chinese),
      "第 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484, 529, 576, 625, 676, 729, 784, 841, "
      "900 …（共 30 个） 步");
  EXPECT_EQ(baseline_text(value("left out")).in(Language::chinese), "未记录");
  EXPECT_EQ(actual_text({}).in(Language::chinese), "运行中没有");
}

}  // namespace
}  // namespace gate::words::values_test
