// A head is found where a search of the whole text finds it.
#include "extract/scan/head_pattern.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

#include "extract/formats/megatron_heads.h"
#include "extract/scan/re2_pattern.h"

namespace gate::extract::head_pattern_test {
namespace {

// Put together from what heads are made of.
std::string random_text(std::mt19937& random) {
  static const std::array<std::string_view, 40> pieces{"iteration",
                                                       "iteration ",
                                                       "iteration=",
                                                       "iteration:",
                                                       "validation loss at ",
                                                       "the end of training for ",
                                                       " on ",
                                                       "test set",
                                                       " data",
                                                       "[Rank ",
                                                       "(after ",
                                                       " iterations)",
                                                       "memory (MB)",
                                                       "loss at ",
                                                       "[2026-01-07 10:00:01] ",
                                                       "[",
                                                       "]",
                                                       "[1]",
                                                       "3/ 4 |",
                                                       "12",
                                                       "/",
                                                       "|",
                                                       " ",
                                                       " ",
                                                       "\n",
                                                       "a",
                                                       "_",
                                                       "step=",
                                                       "step",
                                                       "=",
                                                       "stop",
                                                       "{",
                                                       "x",
                                                       "7",
                                                       "0",
                                                       ":",
                                                       "\\",
                                                       "- ",
                                                       "\v",
                                                       "\xe9"};
  std::string text;
  for (std::size_t i = random() % 24; i > 0; --i) text += pieces[random() % pieces.size()];
  return text;
}

TEST(HeadPattern, is_found_where_its_expression_is) {
  for (const char* pattern : {R"(\{)",
                              R"(\bstep=(\d+))",
                              R"(\bstep ?= ?(\d*))",
                              R"((?:^|[^\w/])step=(\d))",
                              R"(step=7|stop)",
                              R"(\bstep=(7|0)|stop)",
                              R"(step[^|]|stop)",
                              R"(step[]|]|x)",
                              R"(\[\]|step)",
                              R"(step=?)",
                              R"(step[^^]|stop)",
                              R"(step[^]]|stop)",
                              R"(step=*7)",
                              R"(step={0}7)",
                              R"(step\d)",
                              R"(\[)",
                              R"(\bstep=(\d+)$)",
                              R"(^ *- )",
                              R"(x?step)",
                              R"((a|_)step)",
                              R"(\\step)",
                              R"(\Bstep)",
                              R"([sx]t)",
                              R"(\[Rank (\d+)\] ?\(after (\d+) iterations\) memory \(MB\))",
                              R"(x*)",
                              R"((?i)STEP)"}) {
    const RE2 regex(pattern, pattern_options());
    const HeadPattern head(pattern);
    std::mt19937 random(1);
    for (int i = 0; i < 5'000; ++i) {
      const std::string text = random_text(random);
      const std::size_t from = text.empty() ? 0 : random() % text.size();
      re2::StringPiece whole;
      const bool expected =
          from < text.size() && regex.Match(text, from, text.size(), RE2::UNANCHORED, &whole, 1);
      HeadPattern::Groups groups;
      ASSERT_EQ(head.find(text, from, groups), expected) << pattern << " in " << testing::PrintToString(text);
      if (expected) {
        ASSERT_EQ(groups[0].data(), whole.data()) << pattern << " in " << testing::PrintToString(text);
        ASSERT_EQ(groups[0].size(), whole.size()) << pattern << " in " << testing::PrintToString(text);
      }
    }
  }
}

TEST(HeadPattern, is_not_found_where_it_is_wrong_or_has_too_many_groups) {
  HeadPattern::Groups groups;
  EXPECT_FALSE(HeadPattern("a(").find("a(", 0, groups));
  EXPECT_TRUE(HeadPattern("(a)()()()()()()()()()()").find("a", 0, groups));
  EXPECT_FALSE(HeadPattern("(a)()()()()()()()()()()()").find("a", 0, groups));
}

// What Megatron's heads are, in one expression.
std::string matched_heads(std::string_view text) {
  static const RE2 pattern(R"((?:\[\d[\d :.-]*\]\s*)?\biteration(?:\s+|=\s*)(\d+)\s*/\s*(\d+)\s*\|)"
                           R"(|\[Rank (\d+)\] ?\(after (\d+) iterations\) memory \(MB\))"
                           R"(|\bvalidation loss at (?:iteration (\d+)(?: on ([^|]{1,80}))?)"
                           R"(|the end of training for (\w+) data)\s*\|)",
                           pattern_options());
  static const RE2 evaluation(R"((?s).*loss at[\s\v]*)", pattern_options());
  std::string told;
  std::array<re2::StringPiece, 8> groups;
  for (std::size_t at = 0; pattern.Match(piece(text), at, text.size(), RE2::UNANCHORED, groups.data(), 8);) {
    const auto begin = static_cast<std::size_t>(groups[0].data() - text.data());
    at = begin + groups[0].size();
    if (RE2::FullMatch(
            piece(text.substr(begin - std::min<std::size_t>(begin, 16), std::min<std::size_t>(begin, 16))),
            evaluation))
      continue;
    told += std::to_string(begin) + "-" + std::to_string(at) + " " + std::string(view(groups[1])) +
            std::string(view(groups[4])) + std::string(view(groups[5])) + "/" + std::string(view(groups[2])) +
            " " + std::string(view(groups[3])) + "; ";
  }
  return told;
}

std::string found_heads(std::string_view text) {
  std::string told;
  for (const megatron::MegatronHead& head : megatron::find_heads(text))
    told += std::to_string(head.begin) + "-" + std::to_string(head.end) + " " + std::string(head.number) +
            "/" + std::string(head.total) + " " + std::string(head.rank) + "; ";
  return told;
}

TEST(MegatronHeads, are_found_where_their_expression_is) {
  std::mt19937 random(1);
  std::size_t found = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = random_text(random);
    const std::string heads = matched_heads(text);
    found += heads.empty() ? 0 : 1;
    ASSERT_EQ(found_heads(text), heads) << testing::PrintToString(text);
  }
  EXPECT_GT(found, 1'000U);
}

}  // namespace
}  // namespace gate::extract::head_pattern_test
