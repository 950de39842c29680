#include "render/words/text_page.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::bounded_test {
namespace {

using testing::EndsWith;
using testing::StartsWith;

std::string many_lines(int count) {
  std::string out;
  for (int i = 1; i <= count; ++i) out += "line " + std::to_string(i) + "\n";
  return out;
}

TEST(Bounded, LeavesWhatFits) {
  EXPECT_EQ(bounded("a\nb\n", 4, "x"), "a\nb\n");
  EXPECT_EQ(bounded("", 0, "x"), "");
}

TEST(Bounded, CountsTheLinesThatDoNotFit) {
  EXPECT_EQ(bounded(many_lines(100), 60, "gate report"),
            "line 1\nline 2\nline 3\nline 4\nand 96 lines more: gate report\n");
}

TEST(Bounded, NeverTakesMoreThanItMay) {
  const std::string lines = many_lines(300);
  for (std::size_t most = 0; most < 3000; ++most) EXPECT_LE(bounded(lines, most, "gate report").size(), most);
}

TEST(Bounded, CutsALineThatNobodyReadsToItsEnd) {
  const std::string out = bounded(std::string(100'000, 'x') + "\nb\n", 16'384, "x");
  EXPECT_EQ(out.size(), 2003u);
  EXPECT_THAT(out, EndsWith("xxx...\nb\n"));
}

TEST(Bounded, LinesToBePastedAreWholeOrNotThere) {
  EXPECT_EQ(whole_lines("look a\naccept " + std::string(100, 'm') + "\nlog b\n", 20), "look a\nlog b\n");
}

TEST(Bounded, ARunIsFoundAgainAndACheckIsNot) {
  Report report = sample::report({}, 3);
  EXPECT_EQ(where_all_is(report), "gate -v report 1121-0203");
  report.run = "";
  EXPECT_THAT(where_all_is(report).english(), StartsWith("--report json=F"));
}

}  // namespace
}  // namespace gate::render::bounded_test
