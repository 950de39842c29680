#include "judge/series/number.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <vector>

#include "judge/series/limits.h"
#include "judge/series/reduce.h"
#include "logs.h"

namespace gate::judge::number_test {
namespace {

Number parsed(const char* word) { return number(Decimal::parse(word).value()); }

std::vector<Number> all(std::initializer_list<const char*> words) {
  std::vector<Number> numbers;
  for (const char* word : words) numbers.push_back(parsed(word));
  return numbers;
}

bool passes(const char* tolerance, const char* baseline, const char* actual) {
  return within(limits_of(parse_tolerance(tolerance).value(), parsed(baseline)), parsed(actual));
}

TEST(Boundary, BelongsToTheTolerance) {
  EXPECT_TRUE(passes("±0.01", "1.23", "1.24"));
  EXPECT_TRUE(passes("±0.01", "1.23", "1.22"));
  EXPECT_FALSE(passes("±0.01", "1.23", "1.24001"));
  EXPECT_FALSE(passes("±0.01", "1.23", "1.21999"));
  EXPECT_TRUE(passes("±0.01", "1.230000E+00", "1.240000E+00"));
  EXPECT_FALSE(passes("±0.01", "1.230000E+00", "1.240001E+00"));
}

TEST(Boundary, OfAPercentage) {
  EXPECT_TRUE(passes("-5%", "134.17", "127.4615"));
  EXPECT_FALSE(passes("-5%", "134.17", "127.4614"));
  EXPECT_TRUE(passes("-5%", "134.17", "1000000"));
  EXPECT_TRUE(passes("+10%", "14234.91", "15658.401"));
  EXPECT_FALSE(passes("+10%", "14234.91", "15658.402"));
  EXPECT_TRUE(passes("+10%", "-100", "-90")) << "a share of |b|";
  EXPECT_FALSE(passes("+10%", "-100", "-89.9"));
  EXPECT_TRUE(passes("±2%", "0", "0"));
  EXPECT_FALSE(passes("±2%", "0", "0.0001"));
}

TEST(Boundary, OfConstantsAndExact) {
  EXPECT_TRUE(passes(">= 0.75", "9", "0.75"));
  EXPECT_FALSE(passes(">= 0.75", "9", "0.7499999999999999999"));
  EXPECT_TRUE(passes("<= 5000", "9", "5000.000"));
  EXPECT_FALSE(passes("<= 5000", "9", "5000.001"));
  EXPECT_TRUE(passes("== 0", "9", "0.0e5"));
  EXPECT_TRUE(passes("exact", "1.50", "1.5E+00"));
  EXPECT_FALSE(passes("exact", "1.50", "1.5000000000000000000001"));
}

TEST(Boundary, IsOutsideOfABoundWithoutIt) {
  EXPECT_FALSE(passes("> 0.9", "9", "0.90"));
  EXPECT_TRUE(passes("> 0.9", "9", "0.9000000000000000001"));
  EXPECT_FALSE(passes("< 5000", "9", "5000"));
  EXPECT_TRUE(passes("< 5000", "9", "4999.9999"));
  EXPECT_FALSE(passes("!= 0", "9", "0.00"));
  EXPECT_TRUE(passes("!= 0", "9", "-1e-30"));
  EXPECT_TRUE(passes("!= 0", "9", "1e-30"));
  EXPECT_FALSE(passes(">= 5 and > 5", "9", "5"));
  EXPECT_FALSE(passes("<= 5 and < 5", "9", "5"));
  EXPECT_TRUE(passes("> 5 or >= 5", "9", "5"));
  EXPECT_FALSE(passes("> 5 and < 5", "9", "5"));
  EXPECT_FALSE(passes("== 5 and != 5", "9", "5"));
  EXPECT_FALSE(passes("±1 and > 9.5", "9", "9.5"));
}

TEST(Boundary, EachExcludedValueIsLeftOut) {
  const char* tolerance = ">= 1 and != 1 and != 2 and != 2 and != 7 and <= 7 and != 9";
  for (const char* in : {"1.1", "1.9", "2.1", "6.99"}) EXPECT_TRUE(passes(tolerance, "9", in)) << in;
  for (const char* out : {"0.9", "1", "2", "7", "7.1", "9"}) EXPECT_FALSE(passes(tolerance, "9", out)) << out;
  EXPECT_EQ(text(limits_of(parse_tolerance(tolerance).value(), parsed("9"))), "> 1..< 2 or > 2..< 7");
}

TEST(Boundary, OfAlternatives) {
  EXPECT_TRUE(passes("±0.01 or ±1%", "10", "10.1"));
  EXPECT_FALSE(passes("±0.01 or ±1%", "10", "10.11"));
  EXPECT_TRUE(passes("±0.01 and ±1%", "10", "10.01"));
  EXPECT_FALSE(passes("±0.01 and ±1%", "10", "10.02"));
}

TEST(Boundary, NothingIsWithinALimitThatIsBeyondDoubles) {
  EXPECT_FALSE(passes("±5% or ±0.01", "1e9000", "-1e9000"));
  EXPECT_FALSE(passes("-5", "1e9000", "3"));
  EXPECT_FALSE(
      within(limits_of(parse_tolerance("±1").value(), number(std::numeric_limits<double>::infinity())),
             number(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(
      within(limits_of(parse_tolerance("-5%").value(), number(std::numeric_limits<double>::quiet_NaN())),
             parsed("1")));
}

// The oracle: integers in units of 10^-7, wide enough for every product.
TEST(Boundary, AgreesWithIntegersOnRandomPairs) {
  std::mt19937_64 random(20240607);
  std::uniform_int_distribution<std::int64_t> value(-5000000, 5000000), cents(1, 300), near(-3, 3),
      kind(0, 5);
  int on_the_boundary = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t b = value(random), t = cents(random), k = kind(random);
    const bool relative = k >= 3;
    const std::int64_t size = relative ? std::abs(b) * t : t * 10000;  // 10^-7
    const std::int64_t side = k % 3 == 0 ? (value(random) < 0 ? -1 : 1) : k % 3 == 1 ? 1 : -1;
    const std::int64_t a = b * 1000 + side * size + near(random);  // 10^-7
    const std::int64_t delta = a - b * 1000;
    const bool expected = k % 3 == 0 ? std::abs(delta) <= size : k % 3 == 1 ? delta <= size : delta >= -size;
    Bound bound{relative ? Bound::Kind::relative : Bound::Kind::absolute,
                k % 3 == 0   ? Bound::Side::both
                : k % 3 == 1 ? Bound::Side::upper
                             : Bound::Side::lower,
                Decimal{t, -3}};
    const Decimal baseline{b, -4}, actual{a, -7};
    ASSERT_EQ(within(limits_of({{{bound}}}, number(baseline)), number(actual)), expected)
        << to_string(bound) << " " << baseline.to_string() << " " << actual.to_string();
    on_the_boundary += std::abs(delta) == size ? 1 : 0;
  }
  EXPECT_GT(on_the_boundary, 2000);
}

TEST(Mean, IsComparedAsASum) {
  const std::vector<Number> thirds = all({"0.1", "0.1", "0.2"});
  EXPECT_TRUE(compare(mean_of(thirds), divide(parsed("0.4"), 3)) == 0);
  EXPECT_TRUE(compare(mean_of(all({"0.1", "0.2", "0.3"})), parsed("0.2")) == 0)
      << "doubles say 0.20000000000000004";
  EXPECT_TRUE(compare(mean_of(thirds), parsed("0.1333333333333333333333")) > 0);
  EXPECT_TRUE(compare(mean_of(thirds), parsed("0.1333333333333333333334")) < 0);
}

TEST(Mean, AgreesWithIntegersOnRandomWindows) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> value(1000, 3000), count(1, 15), shift(-2, 2);
  for (int i = 0; i < 5000; ++i) {
    std::vector<Number> baseline, actual;
    std::int64_t sum_b = 0, sum_a = 0;
    const std::int64_t n = count(random);
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t b = value(random) * 20, a = b * 95 / 100 + (k == 0 ? shift(random) : 0);
      sum_b += b, sum_a += a;
      baseline.push_back(number(Decimal{b, -1})), actual.push_back(number(Decimal{a, -1}));
    }
    const bool expected = 100 * sum_a >= 95 * sum_b;
    const Tolerance tolerance = parse_tolerance("-5%").value();
    ASSERT_EQ(within(limits_of(tolerance, mean_of(baseline)), mean_of(actual)), expected);
  }
}

TEST(Wide, FallsBackToDoublesWithinEightUlp) {
  const Number huge = plus(parsed("1e37"), parsed("1e-9"));
  EXPECT_FALSE(huge.exact);
  EXPECT_TRUE(compare(huge, parsed("1e37")) == 0);
  EXPECT_TRUE(compare(number(0.1 + 0.2), number(0.3)) == 0);
  EXPECT_TRUE(compare(number(0.3), number(0.3000000000001)) < 0);
}

TEST(Text, KeepsPrintedDecimalsAndEndsWhereTheQuotientEnds) {
  EXPECT_EQ(text(parsed("1.046010E+01")), "10.46010");
  EXPECT_EQ(text(mean_of(all({"134.1", "134.2", "134.3", "134.1"}))), "134.175");
  EXPECT_EQ(text(mean_of(all({"2.50", "2.50"}))), "2.50");
  EXPECT_EQ(text(mean_of(all({"1", "1", "2"}))), "1.333");
  EXPECT_EQ(text(mean_of(all({"-1", "-1", "-3"}))), "-1.667");
  EXPECT_EQ(text(times(parsed("200"), {95, -2})), "190");
  EXPECT_EQ(text(limits_of(parse_tolerance("±0.01").value(), parsed("10.48309"))), "10.47309..10.49309");
  EXPECT_EQ(text(limits_of(parse_tolerance("-5%").value(), parsed("134.17"))), "127.4615");
  EXPECT_EQ(text(limits_of(parse_tolerance("±0.01 or ±1%").value(), parsed("10"))), "9.9..10.1");
  EXPECT_EQ(text(limits_of(parse_tolerance("<= 1 or >= 5").value(), parsed("10"))), "1 or 5");
  EXPECT_EQ(text(limits_of(parse_tolerance("> 0.90").value(), parsed("10"))), "> 0.90");
  EXPECT_EQ(text(limits_of(parse_tolerance("!= 5").value(), parsed("10"))), "< 5 or > 5");
  EXPECT_EQ(text(limits_of(parse_tolerance("> 1 and <= 2 or > 2 and < 3").value(), parsed("10"))),
            "> 1..< 3");
  EXPECT_EQ(text(limits_of(parse_tolerance("< 1 or > 1 or == 1").value(), parsed("10"))), "any");
  EXPECT_EQ(text(limits_of(parse_tolerance("< 1 or < 1").value(), parsed("10"))), "< 1");
  EXPECT_EQ(text(limits_of(parse_tolerance("< 1 or <= 1").value(), parsed("10"))), "1");
}

Intervals limits(const char* tolerance) {
  return limits_of(parse_tolerance(tolerance).value(), std::nullopt);
}

TEST(OpenEnd, IsOnNeitherSideOfItself) {
  EXPECT_TRUE(all_below(limits("< 5"), parsed("5")));
  EXPECT_FALSE(all_below(limits("< 5 or <= 5"), parsed("5")));
  EXPECT_FALSE(all_below(limits("< 5"), parsed("4.99")));
  EXPECT_TRUE(all_above(limits("> 5"), parsed("5")));
  EXPECT_FALSE(all_above(limits(">= 5"), parsed("5")));
  EXPECT_FALSE(all_above(limits("!= 5"), parsed("5")));
  EXPECT_EQ(text(margin_of(limits("> 5"), parsed("5"))), "0");
  EXPECT_EQ(text(margin_of(limits("> 5"), parsed("4.5"))), "-0.5");
  EXPECT_EQ(text(margin_of(limits("!= 5"), parsed("7"))), "2");
}

TEST(OpenEnd, HasItsNeighboursOnBothSides) {
  const auto lower = Bound::Side::lower, upper = Bound::Side::upper;
  EXPECT_EQ(on_limit(limits("> 0.9"), parsed("2"), lower, -3), Decimal::parse("0.901"));
  EXPECT_EQ(beyond_limit(limits("> 0.9"), parsed("2"), lower, -3), Decimal::parse("0.900"));
  EXPECT_EQ(on_limit(limits("< 5"), parsed("2"), upper, 0), Decimal::parse("4"));
  EXPECT_EQ(beyond_limit(limits("< 5"), parsed("2"), upper, 0), Decimal::parse("5"));
  EXPECT_EQ(on_limit(limits("!= 5"), parsed("9"), lower, -1), Decimal::parse("5.1"));
  EXPECT_EQ(beyond_limit(limits("!= 5"), parsed("9"), lower, -1), Decimal::parse("5.0"));
  EXPECT_EQ(on_limit(limits("!= 5"), parsed("9"), upper, -1), std::nullopt);
  EXPECT_EQ(on_limit(limits("< 0.95"), parsed("0"), upper, -1), Decimal::parse("0.9"));
  EXPECT_EQ(beyond_limit(limits("< 0.95"), parsed("0"), upper, -1), Decimal::parse("1.0"));
}

TEST(Reported, DeltasHaveTheDigitsOfTheirOperands) {
  EXPECT_EQ(text(minus(parsed("10.47114"), parsed("10.46010"))), "0.01104");
  EXPECT_EQ(text(minus(parsed("1.0"), parsed("1.5"))), "-0.5");
  EXPECT_EQ(text(minus(parsed("1.50"), parsed("1.5"))), "0.00");
}

TEST(Reported, PercentagesHaveThreeDigits) {
  EXPECT_EQ(percent_of(parsed("-5.1"), parsed("100")), -5.1);
  EXPECT_EQ(percent_of(parsed("80.1"), parsed("931.8")), 8.6);
  EXPECT_EQ(percent_of(parsed("-5.041"), parsed("100")), -5.04);
  EXPECT_EQ(percent_of(parsed("215.24"), parsed("134.17")), 160);
  EXPECT_EQ(percent_of(parsed("1234567"), parsed("10")), 12345670);
  EXPECT_EQ(percent_of(parsed("1"), parsed("-10")), 10);
  EXPECT_EQ(percent_of(parsed("0.00"), parsed("10")), 0);
  EXPECT_EQ(percent_of(parsed("1"), parsed("0.0")), std::nullopt);
}

TEST(Reported, DoublesHaveNineDigits) {
  EXPECT_EQ(value_of(number(1.0 / 3)), parse_value("0.333333333"));
  EXPECT_EQ(value_of(number(std::numeric_limits<double>::infinity())).kind, ValueKind::positive_infinity);
}

std::string reduced(Reduce how, std::initializer_list<const char*> words) {
  const std::optional<Number> value = reduce(how, all(words));
  return value ? text(*value) : "none";
}

TEST(Reduces, OfAWindow) {
  EXPECT_EQ(reduced(Reduce::mean, {"1", "2", "6"}), "3");
  EXPECT_EQ(reduced(Reduce::median, {"9", "1", "2"}), "2");
  EXPECT_EQ(reduced(Reduce::median, {"9", "1", "2", "3"}), "2.5");
  EXPECT_EQ(reduced(Reduce::min, {"3", "-1", "2"}), "-1");
  EXPECT_EQ(reduced(Reduce::max, {"3", "-1", "2"}), "3");
  EXPECT_EQ(reduced(Reduce::last, {"3", "-1", "2"}), "2");
  EXPECT_EQ(reduced(Reduce::harmonic_mean, {"2", "6"}), "3");
  EXPECT_EQ(reduced(Reduce::harmonic_mean, {"2", "0"}), "none");
  EXPECT_EQ(reduced(Reduce::harmonic_mean, {"2", "-6"}), "none");
  EXPECT_EQ(reduced(Reduce::each, {"2"}), "none");
  EXPECT_EQ(reduced(Reduce::mean, {}), "none");
}

TEST(Reduces, PercentileByNearestRank) {
  EXPECT_EQ(reduced(Reduce::p90, {"5"}), "5");
  EXPECT_EQ(reduced(Reduce::p90, {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}), "9");
  EXPECT_EQ(reduced(Reduce::p90, {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}), "10");
  EXPECT_EQ(reduced(Reduce::p90, {"1", "2", "3", "4", "5", "6", "7", "8", "9"}), "9");
}

TEST(Reduces, TrimmedMeanLeavesATenthOutAtEachEnd) {
  EXPECT_EQ(reduced(Reduce::trimmed_mean, {"1", "2", "6"}), "3");
  EXPECT_EQ(reduced(Reduce::trimmed_mean, {"100", "2", "2", "2", "2", "2", "2", "2", "2", "-100"}), "2");
}

TEST(Reduces, TableIsInTheOrderOfTheWords) {
  for (std::size_t i = 0; i < reduces().size(); ++i)
    EXPECT_EQ(static_cast<std::size_t>(reduces()[i].reduce), i);
}

}  // namespace
}  // namespace gate::judge::number_test
