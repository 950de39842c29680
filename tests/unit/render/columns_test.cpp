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

}  // namespace
}  // namespace gate::render::columns_test
