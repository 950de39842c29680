#include "gate/model/numbers/decimal.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <regex>

namespace gate::decimal_test {
namespace {

Decimal of(std::string_view word) { return Decimal::parse(word).value(); }

bool reads(std::string_view word) { return Decimal::parse(word).has_value(); }

TEST(Decimal, ReadsWholeWordsOnly) {
  for (const char* word :
       {"0", "-0", "+1", "007", "1.50", ".5", "5.", "-.5e3", "1.048190E+01", "1e-05", "2E3"})
    EXPECT_TRUE(reads(word)) << word;
  for (const char* word :
       {"",    "+",    "-",   ".",  "e5", "1.2.3", "1.25E", "1.25E+", "1e",  "1e+-5", "1e-+5", "--1",
        "+-1", "0x10", "1,5", " 1", "1 ", "nan",   "inf",   "1e5x",   "1_0", "1e5.0", "1e 5",  "１"})
    EXPECT_FALSE(reads(word)) << word;
}

TEST(Decimal, IsRoundedToSoManyDigitsButNeverBeforeThePoint) {
  const auto rounded = [](std::string_view word) { return of(word).rounded(5).to_string(); };
  EXPECT_EQ(rounded("3.230104"), "3.2301");
  EXPECT_EQ(rounded("-3.23015"), "-3.2302");
  EXPECT_EQ(rounded("9.999995"), "10.0000");
  EXPECT_EQ(rounded("10.46"), "10.46");
  EXPECT_EQ(rounded("1234567.89"), "1234568");
  EXPECT_EQ(rounded("1234567"), "1234567");
  EXPECT_EQ(rounded("0.000123456"), "0.00012346");
  EXPECT_EQ(rounded("-0.000000"), "0.000000");
}

TEST(Decimal, RemembersWhatWasPrinted) {
  EXPECT_EQ(of("1.50").exponent, -2);
  EXPECT_EQ(of("1.5").exponent, -1);
  EXPECT_EQ(of("1.048190E+01").exponent, -5);
  EXPECT_EQ(of("12").exponent, 0);
  EXPECT_EQ(of("2E3").exponent, 3);
  EXPECT_EQ(of("0.00").exponent, -2);
}

TEST(Decimal, PrintsPlainDigitsWithTheirZeros) {
  EXPECT_EQ(of("1.048190E+01").to_string(), "10.48190");
  EXPECT_EQ(of("1.50").to_string(), "1.50");
  EXPECT_EQ(of("-.5").to_string(), "-0.5");
  EXPECT_EQ(of("0.00").to_string(), "0.00");
  EXPECT_EQ(of("1e-05").to_string(), "0.00001");
  EXPECT_EQ(of("2E3").to_string(), "2000");
  EXPECT_EQ(of("0").to_string(), "0");
  EXPECT_EQ(of("-7").to_string(), "-7");
}

TEST(Decimal, PrintsScientificWherePlainWouldBeLong) {
  EXPECT_EQ(of("1e30").to_string(), "1E+30");
  EXPECT_EQ(of("-1.25e-40").to_string(), "-1.25E-40");
  EXPECT_EQ(of("12345678901234567890").to_string(), "12345678901234567890");
}

TEST(Decimal, WhatItPrintsItReadsBack) {
  std::mt19937_64 random(11);
  std::uniform_int_distribution<std::int64_t> coefficient(-1000000000000, 1000000000000);
  std::uniform_int_distribution<int> exponent(-60, 60);
  for (int i = 0; i < 5000; ++i) {
    const Decimal number{coefficient(random), exponent(random)};
    EXPECT_EQ(of(number.to_string()), number) << number.to_string();
  }
}

TEST(Decimal, EqualInValueWhateverTheQuantum) {
  EXPECT_EQ(of("1.50"), of("1.5E+00"));
  EXPECT_EQ(of("0.0"), of("-0e7"));
  EXPECT_EQ(of("100"), of("1e2"));
  EXPECT_NE(of("1.5"), of("1.5000000000000000000000000000000001"));
}

TEST(Decimal, OrdersExactlyHoweverFarApart) {
  EXPECT_LT(of("1e-9999"), of("1e9999"));
  EXPECT_LT(of("-1e9999"), of("-1e-9999"));
  EXPECT_LT(of("0"), of("1e-9999"));
  EXPECT_GT(of("0"), of("-1e-9999"));
  EXPECT_LT(of("9.99"), of("10"));
  EXPECT_GT(of("1e30"), of("999999999999999999999999999999.999999"));
  EXPECT_LT(of("1.234567890123456789012345678901234567"), of("1.234567890123456789012345678901234568"));
  EXPECT_GT(of("-1.5"), of("-1.50001"));
}

TEST(Decimal, DoublesCannotTellWhatItCan) {
  EXPECT_EQ(add(of("1.23"), of("0.01")), of("1.24"));
  EXPECT_GT(1.24 - 1.23, 0.01) << "the reason for all this";
}

TEST(Decimal, AddsSubtractsMultiplies) {
  EXPECT_EQ(add(of("0.1"), of("0.2")), of("0.3"));
  EXPECT_EQ(add(of("1e10"), of("1e-10")), of("10000000000.0000000001"));
  EXPECT_EQ(subtract(of("10.47114"), of("10.46010"))->to_string(), "0.01104");
  EXPECT_EQ(subtract(of("1"), of("1.0"))->to_string(), "0.0");
  EXPECT_EQ(multiply(of("134.17"), of("0.95"))->to_string(), "127.4615");
  EXPECT_EQ(multiply(of("-2"), of("3e5")), of("-6e5"));
  EXPECT_EQ((-of("1.5")).to_string(), "-1.5");
  EXPECT_EQ(of("-1.5").abs().to_string(), "1.5");
}

TEST(Decimal, IsNothingWhereDigitsDoNotFit) {
  EXPECT_FALSE(reads("12345678901234567890123456789012345678"));
  EXPECT_TRUE(reads("1234567890123456789012345678901234567"));
  EXPECT_TRUE(reads("000000000000000000000000000000000000000001.5"));
  EXPECT_FALSE(reads("1e10000"));
  EXPECT_FALSE(reads("1e-10000"));
  EXPECT_FALSE(reads("1e99999999999999999999"));
  EXPECT_FALSE(reads("1." + std::string(20000, '0')));
  EXPECT_FALSE(add(of("1e37"), of("1e-2")));
  EXPECT_FALSE(subtract(of("1e37"), of("1e-2")));
  const Decimal big = of("9999999999999999999999999999999999999");
  EXPECT_FALSE(multiply(big, big));
  EXPECT_TRUE(add(big, big));
}

TEST(Decimal, BecomesTheNearestDouble) {
  EXPECT_EQ(of("0.1").to_double(), 0.1);
  EXPECT_EQ(of("-1.048190E+01").to_double(), -10.4819);
  EXPECT_EQ(of("0").to_double(), 0.0);
  EXPECT_TRUE(std::isinf(of("1e400").to_double()));
  EXPECT_LT(of("-1e400").to_double(), 0);
  EXPECT_EQ(of("1e-400").to_double(), 0.0);
}

// The oracle: integers in units of 10^-6.
TEST(Decimal, AgreesWithIntegers) {
  std::mt19937_64 random(12);
  std::uniform_int_distribution<std::int64_t> value(-1000000, 1000000);
  std::uniform_int_distribution<int> places(0, 6);
  const std::int64_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t x = value(random), y = value(random);
    const int p = places(random), q = places(random);
    const Decimal a{x, -p}, b{y, -q};
    const std::int64_t wide_a = x * power[6 - p], wide_b = y * power[6 - q];
    EXPECT_EQ(a <=> b, wide_a <=> wide_b);
    EXPECT_EQ(add(a, b), (Decimal{wide_a + wide_b, -6}));
    EXPECT_EQ(multiply(a, b), (Decimal{x * y, -p - q}));
  }
}

// What Decimal::parse() says of a word, digit by digit.
std::optional<Decimal> read_slowly(const std::string& word) {
  static const std::regex number(R"(([+-]?)(\d*)\.?(\d*)([eE]([+-]?)0*(\d*))?)");
  std::smatch part;
  if (!std::regex_match(word, part, number) || part.length(2) + part.length(3) == 0) return std::nullopt;
  const bool bare_exponent = part[4].matched && !std::isdigit(static_cast<unsigned char>(word.back()));
  if (bare_exponent || part.length(6) > 4) return std::nullopt;
  const std::string digits = part.str(2) + part.str(3);
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  if (digits.size() - first > 37) return std::nullopt;
  Decimal slow;
  for (const char c : digits) slow.coefficient = slow.coefficient * 10 + (c - '0');
  const int power = part.length(6) == 0 ? 0 : std::stoi(part.str(6));
  slow.exponent = (part.str(5) == "-" ? -power : power) - static_cast<int>(part.length(3));
  if (part.str(1) == "-") slow.coefficient = -slow.coefficient;
  return slow;
}

// Return a text of the characters that numbers are made of; mostly one of them.
std::string any_word(std::mt19937& random) {
  const auto below = [&](unsigned limit) { return random() % limit; };
  const auto digits = [&](unsigned most) {
    std::string text(below(most), '0');
    if (below(3) > 0)
      for (char& c : text) c = static_cast<char>('0' + below(10));
    return text;
  };
  const auto one_of = [&](std::initializer_list<const char*> all) { return all.begin()[below(all.size())]; };
  std::string word = one_of({"", "", "-", "+"}) + digits(below(4) == 0 ? 42 : 12);
  if (below(4) > 0) word += "." + digits(below(4) == 0 ? 42 : 12);
  if (below(3) == 0) word += std::string(one_of({"e", "E"})) + one_of({"", "-", "+", "+-"}) + digits(6);
  if (below(10) == 0) word.insert(below(static_cast<unsigned>(word.size()) + 1), 1, ".eE+- x"[below(7)]);
  return word;
}

TEST(Decimal, ReadsEachWordAsDigitByDigit) {
  std::mt19937 random(1);
  int numbers = 0;
  for (int round = 0; round < 40'000; ++round) {
    const std::string word = any_word(random);
    const std::optional<Decimal> read = Decimal::parse(word), slow = read_slowly(word);
    ASSERT_EQ(read.has_value(), slow.has_value()) << word;
    if (!read) continue;
    ++numbers;
    ASSERT_TRUE(read->coefficient == slow->coefficient && read->exponent == slow->exponent) << word;
    ASSERT_EQ(read->to_double(), std::strtod(word.c_str(), nullptr)) << word;
  }
  EXPECT_GT(numbers, 20'000);
}

TEST(Decimal, OrdersAsDifferencesDo) {
  std::mt19937 random(2);
  int differences = 0;
  for (int round = 0; round < 40'000; ++round) {
    const std::optional<Decimal> a = Decimal::parse(any_word(random)), b = Decimal::parse(any_word(random));
    if (!a || !b) continue;
    ASSERT_EQ(*a <=> *a, std::strong_ordering::equal);
    const std::optional<Decimal> difference = subtract(*a, *b);
    if (!difference) continue;
    ++differences;
    ASSERT_EQ(*a < *b, difference->is_negative()) << a->to_string() << " " << b->to_string();
    ASSERT_EQ(*a == *b, difference->is_zero()) << a->to_string() << " " << b->to_string();
  }
  EXPECT_GT(differences, 10'000);
}

}  // namespace
}  // namespace gate::decimal_test
