// Text that roff prints as it is.
#include "cli/manual/roff.h"

#include <gtest/gtest.h>

#include "cli/manual/man_pages.h"

namespace gate::cli::roff_test {
namespace {

TEST(Roff, WhatItWouldObeyIsEscaped) {
  EXPECT_EQ(plain("a\\b"), "a\\eb");
  EXPECT_EQ(plain("--jobs -5 %"), "\\-\\-jobs \\-5 %");
  EXPECT_EQ(plain(".gate/runs"), "\\&.gate/runs");
  EXPECT_EQ(plain("a.b"), "a.b");
  EXPECT_EQ(plain("'a' \"b\" `c` ^~"), "\\(aqa\\(aq \\(dqb\\(dq \\(gac\\(ga \\(ha\\(ti");
  EXPECT_EQ(plain("two\nlines"), "two lines");
  EXPECT_EQ(bold("-v"), "\\fB\\-v\\fR");
  EXPECT_EQ(italic("N"), "\\fIN\\fR");
}

TEST(Roff, AllElseIsAscii) {
  EXPECT_EQ(plain("±0.01"), "\\[u00B1]0.01");
  EXPECT_EQ(plain("é"), "\\[u00E9]");
  EXPECT_EQ(plain("训"), "\\[u8BAD]");
  EXPECT_EQ(plain("😀"), "\\[u1F600]");
}

TEST(Roff, APageIsMacrosAndLines) {
  Roff page("gate-x.y", 5);
  page.section("SEE ALSO");
  page.paragraph(".a");
  page.entry(bold("k"), "what");
  EXPECT_EQ(page.text(), ".TH \"GATE\\-X.Y\" 5 \"\" \"gate " GATE_VERSION
                         "\" \"gate manual\"\n.SH SEE ALSO\n.PP\n\\&.a\n.TP\n\\fBk\\fR\nwhat\n");
}

TEST(Roff, NoPageHasAnEmptyLine) {
  for (const ManPage& page : man_pages()) EXPECT_EQ(page.text.find("\n\n"), std::string::npos) << page.name;
}

}  // namespace
}  // namespace gate::cli::roff_test
