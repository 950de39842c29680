#include "extract/patterns/user_pattern.h"

#include <gtest/gtest.h>

#include "extract/scan/re2_pattern.h"

namespace gate::extract::pattern_place_test {
namespace {

std::string refusal(const std::string& pattern) { return refusal_text(RE2(pattern, pattern_options())); }

// Return how many characters stand before the caret, less those before the pattern; -1 without a caret.
int place(const std::string& pattern) {
  const std::string text = refusal(pattern);
  const std::size_t line = text.rfind('\n');
  return text.back() == '^' ? static_cast<int>(text.size() - line - 2) - 3 : -1;
}

TEST(PatternPlace, IsBelowThePattern) {
  EXPECT_EQ(refusal(R"(iteration:\s*(\d+)"),
            "missing ): iteration:\\s*(\\d+\n  'iteration:\\s*(\\d+'\n                ^");
}

TEST(PatternPlace, OfAMissingParenthesisIsTheLastThatIsOpen) {
  EXPECT_EQ(place("(a(b)"), 0);
  EXPECT_EQ(place("(a(b"), 2);
  EXPECT_EQ(place(R"(x(\()"), 1);
  EXPECT_EQ(place("y([(]"), 1);
  EXPECT_EQ(place(R"(\\(a)"), 2);
}

TEST(PatternPlace, IsTheOneThatWasRefused) {
  EXPECT_EQ(place("(a)b)"), 4);
  EXPECT_EQ(place(R"(\)a))"), 3);
  EXPECT_EQ(place(R"(a\*b|*)"), 5);
  EXPECT_EQ(place("abc[def"), 3);
  EXPECT_EQ(place(R"(\[abc[def)"), 5);
  EXPECT_EQ(place("ab{1001}"), 2);
  EXPECT_EQ(place(R"(a\\q\q)"), 4);
  EXPECT_EQ(place("[a-z][z-a]"), 6);
  EXPECT_EQ(place("(?P<na me>x)"), 0);
  EXPECT_EQ(place("a(?<v>x)"), 1);
  EXPECT_EQ(place(R"(abc\)"), 3);
}

TEST(PatternPlace, IsCountedInColumns) {
  EXPECT_EQ(place("ä\t("), 2);
  EXPECT_EQ(place("你好("), 4);
  EXPECT_EQ(place("\x01("), 4);
}

TEST(PatternPlace, IsLeftOutOfAVeryLongPattern) { EXPECT_EQ(place(std::string(500, 'a') + "("), -1); }

}  // namespace
}  // namespace gate::extract::pattern_place_test
