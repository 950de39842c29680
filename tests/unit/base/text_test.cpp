#include "gate/base/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace gate::text_test {
namespace {

TEST(Text, TrimTakesBlanksOffBothEndsOnly) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
  for (const char* text : {"", " \n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\xEF\xBB\xBF\r\n"})
    EXPECT_TRUE(holds_nothing(text));
  for (const char* text : {"a",
                           "\xEF\xBB\xBF"
                           "a",
                           "\xEF\xBB"})
    EXPECT_FALSE(holds_nothing(text));
}

TEST(Text, TheLastLineIsTheLastThatIsNotBlank) {
  EXPECT_EQ(last_line("one\n two words \r\n \t\n\n"), "two words");
  EXPECT_EQ(last_line("one"), "one");
  EXPECT_EQ(last_line(" \n\n"), "");
  EXPECT_EQ(last_line(""), "");
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string_view>{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(Text, LinesBecomeOne) {
  EXPECT_EQ(in_one_line("a:1: x\n  b\nc"), "a:1: x; b; c");
  EXPECT_EQ(in_one_line("a"), "a");
}

TEST(Text, WordsAreNeverEmpty) {
  EXPECT_EQ(split_words("  bash   {script}\t"), (std::vector<std::string_view>{"bash", "{script}"}));
  EXPECT_TRUE(split_words(" \t").empty());
}

TEST(Text, IntegersAreWholeWords) {
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("12 "), std::nullopt);
  EXPECT_EQ(parse_integer("1e3"), std::nullopt);
  EXPECT_EQ(parse_integer(""), std::nullopt);
  EXPECT_EQ(parse_integer("99999999999999999999"), std::nullopt);
}

TEST(Text, SuggestsOnlyWhatIsNear) {
  const std::vector<std::string> reduces{"each", "mean", "median", "min"};
  EXPECT_EQ(did_you_mean("meen", reduces), "; did you mean \"mean\"?");
  EXPECT_EQ(did_you_mean("mediann", reduces), "; did you mean \"median\"?");
  EXPECT_EQ(did_you_mean("maen", reduces), "; did you mean \"mean\"?");
  EXPECT_EQ(did_you_mean("mena", reduces), "; did you mean \"mean\"?");
  EXPECT_EQ(did_you_mean("BERT 1x8 A100", std::vector<std::string>{"BERT 1x1 A100", "BERT 1x8 A100 fp32 amp",
                                                                   "BERT 1x8 A100 fp32"}),
            "; did you mean \"BERT 1x8 A100 fp32\"?");
  EXPECT_EQ(did_you_mean("naem", reduces), "");
  EXPECT_EQ(did_you_mean("throughput", reduces), "");
  EXPECT_EQ(did_you_mean("", {}), "");
  const std::vector<std::string> metrics{"peak_hbm_gb", "hbm_gb", "hbmless"};
  EXPECT_EQ(did_you_mean("hbm", metrics), "; did you mean \"hbm_gb\"?");
  EXPECT_EQ(did_you_mean("peak_hbm", metrics), "; did you mean \"peak_hbm_gb\"?");
  EXPECT_EQ(did_you_mean("hb", metrics), "");
  EXPECT_EQ(did_you_mean("", metrics), "");
}

struct GlobRow {
  const char* pattern;
  const char* name;
  bool matches;
};

class Glob : public testing::TestWithParam<GlobRow> {};

TEST_P(Glob, Matches) { EXPECT_EQ(glob_match(GetParam().pattern, GetParam().name), GetParam().matches); }

INSTANTIATE_TEST_SUITE_P(
    Text, Glob,
    testing::Values(
        GlobRow{"*", "dp2", true}, GlobRow{"*", "tinygpt/dp2", false}, GlobRow{"**", "tinygpt/dp2", true},
        GlobRow{"tinygpt/*", "tinygpt/dp2", true}, GlobRow{"tinygpt/*", "tinygpt/a/dp2", false},
        GlobRow{"scripts/**.sh", "scripts/a/b.sh", true}, GlobRow{"scripts/*.sh", "scripts/a/b.sh", false},
        GlobRow{"**/x*.sh", "a/b/xyz.sh", true}, GlobRow{"**/x*.sh", "xyz.sh", true},
        GlobRow{"ut/**/x.py", "ut/x.py", true}, GlobRow{"**/", "bab", false}, GlobRow{"**/", "b/", true},
        GlobRow{"ut/**/x.py", "ut/a/b/x.py", true}, GlobRow{"ut/**/x.py", "ut/ax.py", false},
        GlobRow{"ut/**/x.py", "utx.py", false}, GlobRow{"ut/**/a/**/x", "ut/a/x", true},
        GlobRow{"a**/x", "a/x", true}, GlobRow{"a**/x", "ax", false}, GlobRow{"a*b*c", "aXbYc", true},
        GlobRow{"a*b*c", "aXbY", false}, GlobRow{"dp?", "dp2", true}, GlobRow{"dp?", "dp", false},
        GlobRow{"a?b", "a/b", false}, GlobRow{"dp[12]", "dp2", true}, GlobRow{"dp[!12]", "dp2", false},
        GlobRow{"dp[a-c]", "dpb", true}, GlobRow{"dp[", "dp[", true}, GlobRow{"", "", true},
        GlobRow{"", "a", false}, GlobRow{"*", "", true},
        GlobRow{"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false}));

// All names of `a`, `b` and `/` up to that length.
std::vector<std::string> short_names(std::size_t longest) {
  std::vector<std::string> names{""};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const char* c : {"a", "b", "/"})
      if (names[i].size() < longest) names.push_back(names[i] + c);
  return names;
}

// Two globs of n places have a common name of at most 2 n characters, if any.
TEST(Globs, OverlapWhereANameMatchesBoth) {
  const std::vector<std::string> names = short_names(6);
  std::mt19937 random(7);
  const auto draw = [&] {
    std::string glob;
    for (int i = 0; i < 3; ++i)
      glob += std::array{"a", "b", "/", "*", "**", "?", "[ab]", "[!a]"}[random() % 8];
    return glob;
  };
  for (int i = 0; i < 400; ++i) {
    const std::string one = draw(), other = draw();
    const bool common = std::ranges::any_of(
        names, [&](const std::string& name) { return glob_match(one, name) && glob_match(other, name); });
    EXPECT_EQ(globs_overlap(one, other), common) << one << " and " << other;
    EXPECT_EQ(globs_overlap(other, one), common) << one << " and " << other;
  }
  EXPECT_TRUE(globs_overlap("out/*/train.log", "out/a*/**"));
  EXPECT_FALSE(globs_overlap("out/*.log", "out/*/x.log"));
  EXPECT_FALSE(globs_overlap("out/a*.log", "out/*.txt"));
  EXPECT_TRUE(globs_overlap("a/**/b", "a/b"));
  EXPECT_FALSE(globs_overlap("**/b", "b*[ab]"));
  EXPECT_TRUE(globs_overlap("", ""));
}

TEST(Text, ShellQuoteMakesOneWord) {
  EXPECT_EQ(shell_quote("scripts/a.sh"), "scripts/a.sh");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's $(rm)"), "'it'\\''s $(rm)'");
  EXPECT_EQ(shell_quote(""), "''");
}

TEST(Text, PrintableEscapesWhatTerminalsWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(printable("step ±0.01"), "step ±0.01");
  EXPECT_EQ(printable("\xff\xc0\x80"), "\\xff\\xc0\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable(std::string(500, 'x'), 10), "xxxxxxxxxx...");
}

TEST(Text, CountsAgreeWithTheirNoun) {
  EXPECT_EQ(count_of(1, "step"), "1 step");
  EXPECT_EQ(count_of(0, "step"), "0 steps");
}

}  // namespace
}  // namespace gate::text_test
