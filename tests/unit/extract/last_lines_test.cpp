#include "gate/extract/last_lines.h"

#include <gtest/gtest.h>

#include "gate/base/text.h"

namespace gate::extract::last_lines_test {
namespace {

std::string shown(std::string_view text, bool whole = true) {
  std::string out;
  for (const LastLines& of : last_lines(text, whole, 2))
    out += "<" + of.source + "> " + join(of.lines, " / ") + "\n";
  return out;
}

TEST(LastLines, OfAPlainLog) { EXPECT_EQ(shown("a\nb\nc\n"), "<> b / c\n"); }

TEST(LastLines, OfEachRankTheLatestLast) {
  EXPECT_EQ(shown("[rank0]: a\n[rank1]: x\n[rank0]: b\n[rank0]: c\n[rank1]: y\n"),
            "<[rank0]> b / c\n<[rank1]> x / y\n");
}

TEST(LastLines, ErrorNameIsNoRank) { EXPECT_EQ(shown("ValueError: no\n"), "<> ValueError: no\n"); }

TEST(LastLines, ProgressBarCountsWithWhatItShowedLast) {
  EXPECT_EQ(shown("\r 10%\r 20%\r 30%\r\n\n"), "<> 30%\n");
}

TEST(LastLines, LineThatMayBeginInItsMiddleIsLeftOut) {
  EXPECT_EQ(shown("alf a line\nwhole\n", false), "<> whole\n");
  EXPECT_EQ(shown("no end", false), "");
  EXPECT_EQ(shown("", true), "");
}

TEST(LastLines, ColoursAndControlBytesAreNotShown) {
  EXPECT_EQ(shown("\x1b[31mred\x1b[0m\x01\n"), "<> red\\x01\n");
}

}  // namespace
}  // namespace gate::extract::last_lines_test
