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
  std::string text(english);
  text = std::regex_replace(text, std::regex(R"(\{(\d+):[nf]\})"), "4$1");
  text = std::regex_replace(text, std::regex(R"(\{(\d+):r\})"), "p90");
  text = std::regex_replace(text, std::regex(R"(\{(\d+)(?::[wstk])?\})"), "x$1x");
  return std::regex_replace(text, std::regex(R"(\(s\))"), "s");
}

// Blanks come between Latin and Chinese by themselves.
std::string without_blanks(const std::string& text) { return std::regex_replace(text, std::regex(" "), ""); }

TEST(ChineseRowsTest, BothLanguagesHaveTheSameHoles) {
  for (const ChineseRow& row : chinese_rows()) {
    EXPECT_FALSE(row.english.empty());
    EXPECT_FALSE(row.chinese.empty()) << row.english;
    EXPECT_EQ(numbers_of(row.english, std::regex(R"(\{(\d+)(?::[wnfmprstk])?\})")),
              numbers_of(row.chinese, std::regex(R"(\{(\d+)\})")))
        << row.english;
    EXPECT_EQ(row.chinese.find('{') == row.chinese.npos,
              numbers_of(row.chinese, std::regex(R"(\{(\d+)\})")).empty())
        << row.chinese;
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
      expected = std::regex_replace(expected, std::regex("\\{" + std::to_string(i + 1) + "\\}"),
                                    std::string(filling->holes.at(i)));
    EXPECT_EQ(without_blanks(in_chinese(phrase)), without_blanks(expected)) << row.english;
  }
}

}  // namespace
}  // namespace gate::words
