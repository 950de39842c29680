#include "extract/scan/simple_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "extract/scan/pattern.h"

namespace gate::extract::simple_pattern_test {
namespace {

std::string shown(bool found, const std::vector<re2::StringPiece>& groups, std::string_view text) {
  if (!found) return "no match";
  std::string out;
  for (const re2::StringPiece& group : groups)
    out += std::to_string(group.data() - text.data()) + "+" + std::to_string(group.size()) + " ";
  return out;
}

// What the pattern finds at that place, as offsets and sizes of its groups.
std::string with_re2(const RE2& regex, std::string_view text, std::size_t at) {
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) + 1);
  const bool found = regex.Match(piece(text), at, text.size(), RE2::ANCHOR_START, groups.data(),
                                 static_cast<int>(groups.size()));
  return shown(found, groups, text);
}

std::string without(const SimplePattern& pattern, const RE2& regex, std::string_view text, std::size_t at) {
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) + 1);
  const std::optional<bool> found = pattern.match(text, at, groups);
  return found ? shown(*found, groups, text) : "RE2 should tell";
}

bool is_simple(const std::string& pattern) { return SimplePattern::parse(pattern).has_value(); }

TEST(SimplePattern, IsWhatMostPeopleWrite) {
  for (const char* pattern : {R"(loss=(?P<value>\S+))", R"(lm loss: *(?P<value>[-+.\deE]+))",
                              R"(loss (?P<value>[\d.]+) at step (?P<step>\d+))",
                              R"(step (?P<step>\d+)/\d+ .*?loss=(?P<value>[^,\s]+))",
                              R"(\[rank(?P<rank>\d+)\] mem\s+(?P<value>[\d.]+)MB)"})
    EXPECT_TRUE(is_simple(pattern)) << pattern;
}

TEST(SimplePattern, IsNoneWhereAByteWouldHaveToBeTriedTwice) {
  for (const char* pattern :
       {R"(\S+ loss)", R"(loss (\S+)x)", R"(a|b)", R"(^loss (\d+))", R"(loss\b(\d+))", R"((?i)loss (\d+))",
        R"(loss (\d{2}))", R"(loss (\d+)+)", R"(loss (?:a)?(\d+))", R"(loss.*(\d+))", R"(loss (\d+?))",
        R"(a.*?b.*?c)", R"(loss .*?(\d+))", R"(loss [[:digit:]]+)", R"(loss \d+\d)", "loss \xe9(\\d+)"})
    EXPECT_FALSE(is_simple(pattern)) << pattern;
}

TEST(SimplePattern, MatchesAsRe2Does) {
  const std::vector<std::string> pieces{"a",    "b",    "ab",   " ",      "=",     "\\d", "\\S",    "\\s",
                                        "\\w",  "[ab]", "[^a]", "[a-b.]", "\\.",   "1",   ".",      "+",
                                        "+",    "*",    "?",    ".*?",    "(",     ")",   "(?P<n>", "[]b]",
                                        "[+-]", "\\D",  "|",    "^",      "[\\d.]"};
  constexpr std::string_view letters = "aabb  ==11.]+-\xe9";
  std::mt19937 random(3);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  constexpr int rounds = SANITIZED ? 15000 : 60000;
  int simple = 0, matched = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string pattern = "a";
    for (std::size_t i = 0, count = 1 + pick(7); i < count; ++i) pattern += pieces[pick(pieces.size())];
    const RE2 regex(pattern, pattern_options());
    const std::optional<SimplePattern> mine = regex.ok() ? SimplePattern::parse(pattern) : std::nullopt;
    if (!mine) continue;
    ++simple;
    for (int i = 0; i < 20; ++i) {
      std::string text;
      for (std::size_t size = pick(12); text.size() < size;) text += letters[pick(letters.size())];
      const std::size_t at = pick(text.size() + 1);
      const std::string expected = with_re2(regex, text, at);
      matched += expected == "no match" ? 0 : 1;
      ASSERT_EQ(without(*mine, regex, text, at), expected)
          << pattern << " at " << at << " of `" << text << "`";
    }
  }
  EXPECT_GT(simple, rounds / 30);
  EXPECT_GT(matched, rounds / 30);
}

TEST(SimplePattern, LeavesALineWithManyBeginningsToRe2) {
  const RE2 regex("a.*?b=(\\d+)", pattern_options());
  std::string text = "a";
  for (int i = 0; i < 100; ++i) text += "b=x ";
  EXPECT_EQ(without(*SimplePattern::parse("a.*?b=(\\d+)"), regex, text, 0), "RE2 should tell");
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
}  // namespace gate::extract::simple_pattern_test
