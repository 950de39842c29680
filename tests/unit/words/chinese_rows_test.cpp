#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "gate/words/chinese.h"
#include "words/chinese/phrase_pattern.h"

namespace gate::words {
namespace {

std::set<std::string> numbers_of(std::string_view text, const std::regex& hole) {
  std::set<std::string> numbers;
  const std::string all(text);
  for (std::sregex_iterator it(all.begin(), all.end(), hole), end; it != end; ++it) numbers.insert((*it)[1]);
  return numbers;
}

// A phrase of the row: each hole holds something that no row knows.
std::string filled_with_names(std::string_view english) {
  static const std::regex number(R"(\{(\d+):[nf]\})"), reduce(R"(\{(\d+):r\})"),
      word(R"(\{(\d+)(?::[wstk])?\})"), plural(R"(\(s\))");
  std::string text(english);
  text = std::regex_replace(text, number, "4$1");
  text = std::regex_replace(text, reduce, "p90");
  text = std::regex_replace(text, word, "x$1x");
  return std::regex_replace(text, plural, "s");
}

// Blanks come between Latin and Chinese by themselves.
std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

void replace_all(std::string& text, const std::string& from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

TEST(ChineseRowsTest, BothLanguagesHaveTheSameHoles) {
  const std::regex in_english(R"(\{(\d+)(?::[wnfmprstk])?\})"), in_chinese(R"(\{(\d+)\})");
  for (const ChineseRow& row : chinese_rows()) {
    EXPECT_FALSE(row.english.empty());
    EXPECT_FALSE(row.chinese.empty()) << row.english;
    const std::set<std::string> holes = numbers_of(row.chinese, in_chinese);
    EXPECT_EQ(numbers_of(row.english, in_english), holes) << row.english;
    EXPECT_EQ(row.chinese.find('{') == row.chinese.npos, holes.empty()) << row.chinese;
  }
}

TEST(ChineseRowsTest, NoEnglishTextHasTwoRows) {
  std::map<std::string_view, std::string_view> seen;
  for (const ChineseRow& row : chinese_rows())
    EXPECT_TRUE(seen.emplace(row.english, row.chinese).second) << row.english;
}

TEST(ChineseRowsTest, ARowIsFoundForItsOwnPhrase) {
  for (const ChineseRow& row : chinese_rows()) {
    const std::string phrase = filled_with_names(row.english);
    const auto filling = matched(row.english, phrase);
    ASSERT_TRUE(filling) << row.english;
    std::string expected(row.chinese);
    for (std::size_t i = 0; i < most_holes; ++i)
      replace_all(expected, "{" + std::to_string(i + 1) + "}", filling->holes.at(i));
    EXPECT_EQ(without_blanks(in_chinese(phrase)), without_blanks(expected)) << row.english;
  }
}

}  // namespace
}  // namespace gate::words
