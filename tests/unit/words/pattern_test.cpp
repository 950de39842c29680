#include "words/chinese/phrase_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gate::words::pattern_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What fills the holes, in their order; `-` where the phrase is none of the pattern's.
std::vector<std::string> filled(std::string_view pattern, std::string_view phrase) {
  const auto filling = matched(pattern, phrase);
  if (!filling) return {"-"};
  std::vector<std::string> holes;
  for (const std::string_view hole : filling->holes)
    if (!hole.empty()) holes.emplace_back(hole);
  return holes;
}

TEST(Patterns, WithoutHolesAreTheirOwnWords) {
  EXPECT_THAT(filled("bit-equal", "bit-equal"), IsEmpty());
  EXPECT_THAT(filled("bit-equal", "bit-equal "), ElementsAre("-"));
  EXPECT_THAT(filled("bit-equal", "bit-equa"), ElementsAre("-"));
  EXPECT_THAT(filled("bit-equal", ""), ElementsAre("-"));
  EXPECT_THAT(filled("", ""), IsEmpty());
}

TEST(Patterns, AreFilledByAsLittleAsCanBe) {
  EXPECT_THAT(filled("{1} in {2}", "a in b in c"), ElementsAre("a", "b in c"));
  EXPECT_THAT(filled("{1}: {2}", "a: b"), ElementsAre("a", "b"));
  EXPECT_THAT(filled("{2} before {1}", "a before b"), ElementsAre("b", "a")) << "by their numbers";
  EXPECT_THAT(filled("{1} in {2}", " in b"), ElementsAre("-")) << "a hole holds something";
  EXPECT_THAT(filled("{1} in {2}", "a in "), ElementsAre("-"));
  EXPECT_THAT(filled("{1}{2}", "ab"), ElementsAre("a", "b"));
}

TEST(Patterns, MayLackTheirPlural) {
  EXPECT_THAT(filled("{1:n} step(s)", "1 step"), ElementsAre("1"));
  EXPECT_THAT(filled("{1:n} step(s)", "12 steps"), ElementsAre("12"));
  EXPECT_THAT(filled("{1:n} step(s)", "12 stepss"), ElementsAre("-"));
}

TEST(Holes, OfAWordHoldOneWord) {
  EXPECT_THAT(filled("rank {1:w} of {2:w}", "rank a of b"), ElementsAre("a", "b"));
  EXPECT_THAT(filled("rank {1:w}", "rank a b"), ElementsAre("-"));
  EXPECT_THAT(filled("rank {1:w}", "rank a:"), ElementsAre("-"));
  EXPECT_THAT(filled("rank {1:w}", "rank a,"), ElementsAre("-"));
}

TEST(Holes, OfNumbersHoldNumbers) {
  EXPECT_THAT(filled("step {1:n}", "step 7"), ElementsAre("7"));
  EXPECT_THAT(filled("steps {1:n}", "steps 1 and 2"), ElementsAre("1 and 2"));
  EXPECT_THAT(filled("steps {1:n}", "steps 10-150 by 10, 7, ... (40 in all)"),
              ElementsAre("10-150 by 10, 7, ... (40 in all)"));
  EXPECT_THAT(filled("step {1:n}", "step seven"), ElementsAre("-"));
  EXPECT_THAT(filled("step {1:n}", "step 7 "), ElementsAre("-"));
}

TEST(Holes, OfFormulasHoldNoWords) {
  EXPECT_THAT(filled("limit {1:f}", "limit 1.5e-3 * (2 + 7) / 3"), ElementsAre("1.5e-3 * (2 + 7) / 3"));
  EXPECT_THAT(filled("limit {1:f}", "limit e5"), ElementsAre("-")) << "an exponent stands behind a digit";
  EXPECT_THAT(filled("limit {1:f}", "limit 2 + e5"), ElementsAre("-"));
  EXPECT_THAT(filled("limit {1:f}", "limit x + 1"), ElementsAre("-"));
  EXPECT_THAT(filled("limit {1:f}",
                     "limit \x0e"
                     "0\x0f"),
              ElementsAre("-"))
      << "what is between marks is a name";
}

TEST(Holes, OfAReduceHoldOne) {
  for (const char* reduce : {"each", "mean", "median", "min", "max", "last", "p90", "harmonic_mean",
                             "trimmed_mean", "mean_relative_error"})
    EXPECT_THAT(filled("the {1:r} is", std::string("the ") + reduce + " is"), ElementsAre(reduce));
  EXPECT_THAT(filled("the {1:r} is", "the sum is"), ElementsAre("-"));
}

TEST(Holes, OfPhrasesEndWhereGateJoinsSentences) {
  EXPECT_THAT(filled("{1:s}, of gate", "a, b (c): d, of gate"), ElementsAre("a, b (c): d"));
  EXPECT_THAT(filled("{1:s} of gate", "a; b of gate"), ElementsAre("-"));
  EXPECT_THAT(filled("{1:s} of gate", "a  b of gate"), ElementsAre("-"));
  EXPECT_THAT(filled("{1:s} of gate", "a  of gate"), ElementsAre("-"));
  for (const char* kind : {"p", "m"}) {
    const std::string pattern = std::string("{1:") + kind + "} of gate";
    EXPECT_THAT(filled(pattern, "a b of gate"), ElementsAre("a b"));
    for (const char* part : {"a, b", "a: b", "a; b", "a (b)", "a  b", "a:"})
      EXPECT_THAT(filled(pattern, part + std::string(" of gate")), ElementsAre("-")) << part;
  }
}

TEST(Holes, BeginWithNoBlankButThoseThatStayAsTheyAre) {
  EXPECT_THAT(filled("is{1}", "is  x"), ElementsAre("  x"));
  for (const char* kind : {"t", "s", "p", "m", "k"})
    EXPECT_THAT(filled(std::string("is{1:") + kind + "}", "is x"), ElementsAre("-")) << kind;
}

TEST(Patterns, ThatAreNoHolesAreWords) {
  EXPECT_THAT(filled("{x} {0} {11} {}", "{x} {0} {11} {}"), IsEmpty());
  EXPECT_THAT(filled("{1", "{1"), IsEmpty());
  EXPECT_THAT(filled("a {10} b", "a c b"), ElementsAre("c"));
}

// A line of somebody else's cannot make gate try without end.
TEST(Patterns, AreGivenUp) {
  const std::string many(20'000, 'a');
  EXPECT_FALSE(matched("{1}a{2}a{3}a{4}a{5}a{6}a{7}b", many));
}

TEST(OwnWords, AreAllButHolesAndPlurals) {
  EXPECT_EQ(own_bytes("bit-equal"), 9U);
  EXPECT_EQ(own_bytes("{1:n} step(s) of {2}"), std::string(" step of ").size());
  EXPECT_EQ(own_bytes("{1}"), 0U);
  EXPECT_EQ(own_bytes(""), 0U);
  EXPECT_EQ(longest_words("{1:n} step(s) of the {2}"), " of the ");
  EXPECT_EQ(longest_words("one {1} two"), "one ") << "the first of equally long ones";
  EXPECT_EQ(longest_words("{1}{2}"), "");
}

TEST(Numbers, AreWhatRangesTextWrites) {
  for (const char* text :
       {"7", "-7", "+0.5", "1-3", "1, 2", "1 and 2", "10-150 by 10", "1, 4, ... (40 in all)"})
    EXPECT_TRUE(are_numbers(text)) << text;
  for (const char* text : {"", " ", "7 ", "seven", "1,2", "1e3", "(7)", "nan", "1 or 2"})
    EXPECT_FALSE(are_numbers(text)) << text;
}

}  // namespace
}  // namespace gate::words::pattern_test
