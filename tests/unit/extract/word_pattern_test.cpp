#include "extract/scan/word_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "extract/scan/re2_pattern.h"

namespace gate::extract::word_pattern_test {
namespace {

// What the group of the pattern holds at that place, with its quotes.
std::string with_re2(const RE2& regex, std::string_view text, std::size_t at) {
  std::vector<re2::StringPiece> groups(2);
  const bool found = regex.Match(piece(text), at, text.size(), RE2::ANCHOR_START, groups.data(), 2);
  return found ? "'" + std::string(view(groups[1])) + "'" : "no match";
}

std::string without(const WordPattern& pattern, std::string_view text, std::size_t at) {
  const std::string_view word = pattern.word_at(text, at);
  return word.data() != nullptr ? "'" + std::string(word) + "'" : "no match";
}

TEST(WordPattern, IsWhatMostPeopleWrite) {
  for (const char* pattern : {R"(loss=(?P<value>\S+))", R"(lm loss: (?P<value>[-+.\deE]+))", R"(loss: (.*))",
                              R"(n=([^\]]+))", R"(n=([]x]*))", R"(n=([[:digit:].]+))"})
    EXPECT_TRUE(WordPattern::parse(pattern)) << pattern;
}

TEST(WordPattern, IsNothingElse) {
  for (const char* pattern :
       {R"(\S+ loss)", R"((\d+))", R"(loss (\S+)x)", R"(loss (a+))", R"(a|b(\d+))", R"(^loss (\d+))",
        R"(loss\b(\d+))", R"((?i)loss (\d+))", R"(loss (\d{2}))", R"(loss (\d))", R"(loss (\d+)+)",
        R"(loss (?:\d+))", R"(loss: *(\d+))", R"(loss (\d+?))", R"(a(b)(\d+))", R"(loss ([a]+[b]+))",
        R"(loss (\d+\d))", R"(loss (\pN+))", "loss \xe9(\\d+)"})
    EXPECT_FALSE(WordPattern::parse(pattern)) << pattern;
}

TEST(WordPattern, MatchesAsRe2Does) {
  const std::vector<std::string> classes{"\\d",  "\\S",  "\\s",  "\\w",    "\\D",    ".",           "[ab]",
                                         "[^a]", "[]b]", "[+-]", "[a-b.]", "[\\d.]", "[^[:digit:]]"};
  constexpr std::string_view letters = "aabb  ==11.]+-\xe9\n";
  std::mt19937 random(3);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  int matched = 0, missed = 0;
  for (const std::string& bytes : classes)
    for (const char* repeat : {"*", "+"}) {
      const std::string pattern = "a=(?P<n>" + bytes + repeat + ")";
      const RE2 regex(pattern, pattern_options());
      const std::optional<WordPattern> mine = WordPattern::parse(pattern);
      ASSERT_TRUE(mine) << pattern;
      for (int i = 0; i < 500; ++i) {
        std::string text = i % 4 == 0 ? "" : "a=";
        for (std::size_t size = pick(12); text.size() < size;) text += letters[pick(letters.size())];
        const std::size_t at = i % 4 == 1 ? pick(text.size() + 1) : 0;
        const std::string expected = with_re2(regex, text, at);
        ++(expected == "no match" ? missed : matched);
        ASSERT_EQ(without(*mine, text, at), expected) << pattern << " at " << at << " of `" << text << "`";
      }
    }
  EXPECT_GT(matched, 1000);
  EXPECT_GT(missed, 1000);
}

TEST(LeadingLiteral, IsWhatEveryMatchBeginsWith) {
  EXPECT_EQ(leading_literal(R"(loss: *(\S+))"), "loss:");
  EXPECT_EQ(leading_literal(R"(loss (\S+)x)"), "loss ");
  EXPECT_EQ(leading_literal(R"(los+ (\S+)x)"), "los");
  EXPECT_EQ(leading_literal(R"(los{2} (\S+)x)"), "lo");
  EXPECT_EQ(leading_literal(R"(\S+ loss)"), "");
  EXPECT_EQ(leading_literal(R"(loss|grad)"), "");
  EXPECT_EQ(leading_literal(R"((?i)loss)"), "");
  EXPECT_EQ(leading_literal(R"(loss(?P<value>\S+x))"), "loss");
  EXPECT_EQ(leading_literal(R"(^loss)"), "");
}

}  // namespace
}  // namespace gate::extract::word_pattern_test
