#include "render/words/text_page.h"

#include <gmock/gmock.h>

namespace gate::render::columns_test {
namespace {

using testing::ElementsAre;

TEST(Columns, WideCharactersTakeTwoAndCombiningMarksNone) {
  EXPECT_EQ(columns("loss"), 4);
  EXPECT_EQ(columns("±0.01"), 5);
  EXPECT_EQ(columns("训练"), 4);
  EXPECT_EQ(columns("ﾊﾝ"), 2);
  EXPECT_EQ(columns("한국"), 4);
  EXPECT_EQ(columns("ＡＢ"), 4);
  EXPECT_EQ(columns("e\u0301"), 1);
  EXPECT_EQ(columns("✅🚀"), 4);
  EXPECT_EQ(columns("𠀀"), 2);
  EXPECT_EQ(columns(""), 0);
}

TEST(Columns, SafeShowsWhatWouldBeObeyed) {
  EXPECT_EQ(safe("a\tb"), "a b");
  EXPECT_EQ(safe("\x1b[1m"), "\\x1b[1m");
  EXPECT_EQ(safe("\u009b2J"), "\\xc2\\x9b2J");
  EXPECT_EQ(safe("\u202e"), "\\xe2\\x80\\xae");
  EXPECT_EQ(safe("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(safe("训 ± 🚀"), "训 ± 🚀");
  EXPECT_EQ(safe(std::string(2000, 'x')).size(), 2000u);
}

TEST(Columns, CutEndsInDotsAndNeverSplitsACharacter) {
  EXPECT_EQ(cut("abcdef", 6), "abcdef");
  EXPECT_EQ(cut("abcdefg", 6), "abc...");
  EXPECT_EQ(cut("训练训练", 7), "训练...");
  EXPECT_EQ(cut("训练训练", 6), "训...");
}

TEST(Columns, PadCountsColumns) {
  EXPECT_EQ(pad("训", 4), "训  ");
  EXPECT_EQ(pad("abcde", 4), "abcde");
}

TEST(Columns, WrapBreaksAtBlanksAndIndentsWhatFollows) {
  EXPECT_THAT(wrap("one two  three", 20, 2), ElementsAre("one two  three"));
  EXPECT_THAT(wrap("one two  three", 9, 2), ElementsAre("one two", "  three"));
  EXPECT_THAT(wrap("  one two", 7, 4), ElementsAre("  one", "    two"));
  EXPECT_THAT(wrap("", 10, 2), ElementsAre(""));
}

TEST(Columns, WrapBreaksAWordOnlyWhereItAloneIsTooLong) {
  EXPECT_THAT(wrap("ab cdefghijkl", 6, 2), ElementsAre("ab", "  cdef", "  ghij", "  kl"));
  EXPECT_THAT(wrap("训练训练", 5, 1), ElementsAre("训练", " 训练"));
}

TEST(Columns, ChineseBreaksBetweenItsCharacters) {
  const auto chinese = [](std::string_view text, int width) {
    return wrap(text, width, 1, Language::chinese);
  };
  EXPECT_THAT(chinese("没有基线", 6), ElementsAre("没有基", " 线"));
  EXPECT_THAT(chinese("没有基线，逐位", 8), ElementsAre("没有基", " 线，逐", " 位"));
  EXPECT_THAT(chinese("没有（基线）", 6), ElementsAre("没有", " （基", " 线）"));
  EXPECT_THAT(chinese("第 12 步", 5), ElementsAre("第 12", " 步"));
  EXPECT_THAT(chinese("lm_loss，grad_norm", 10), ElementsAre("lm_loss，", " grad_norm"));
  EXPECT_THAT(chinese("用例 lm_loss", 9), ElementsAre("用例", " lm_loss"));
  EXPECT_THAT(chinese("", 9), ElementsAre(""));
  EXPECT_THAT(wrap("有 没有基线", 8, 1), ElementsAre("有", " 没有基", " 线"))
      << "in English, only what alone is too long";
}

TEST(Columns, NoLineOfChineseIsTooWide) {
  const std::string text =
      "（没有基线），逐位；相等：abc「步」，！？、、、、、第 1-3 步（abcdefghijklmnop）》》》，没有";
  for (int width = 4; width < 60; ++width)
    for (const std::string& line : wrap(text, width, 1, Language::chinese))
      EXPECT_LE(columns(line), width) << line;
}

}  // namespace
}  // namespace gate::render::columns_test
