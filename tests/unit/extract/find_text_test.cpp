#include "extract/scan/head_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gate::extract::find_text_test {
namespace {

TEST(FindText, finds_what_string_view_finds) {
  std::mt19937 random(1);
  const auto word = [&](std::size_t size) {
    std::string text(size, ' ');
    for (char& c : text) c = "ab\xff"[random() % 3];
    return text;
  };
  std::size_t found = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = word(random() % 100);
    const std::string needle = word(1 + random() % 8);
    const std::size_t from = random() % 110;
    const std::size_t expected = text.find(needle, from);
    found += expected == std::string::npos ? 0 : 1;
    ASSERT_EQ(find_text(text, needle, from), expected) << text << ' ' << needle << ' ' << from;
  }
  EXPECT_GT(found, 10'000U);
}

TEST(FindText, finds_nothing_in_nothing) {
  EXPECT_EQ(find_text("", "a"), std::string_view::npos);
  EXPECT_EQ(find_text({}, "a"), std::string_view::npos);
  EXPECT_EQ(find_text("a", "a"), 0U);
  EXPECT_EQ(find_text("a", "a", 1), std::string_view::npos);
}

}  // namespace
}  // namespace gate::extract::find_text_test
