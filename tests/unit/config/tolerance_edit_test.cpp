#include "gate/config/tolerance_edit.h"

#include <gmock/gmock.h>

namespace gate::config::tolerance_edit_test {
namespace {

using ::testing::HasSubstr;

const std::string mark = "# gate baseline lint --tolerances, of today";

std::string edited(const std::string& toml, const std::string& tolerance = "-6.2%",
                   const std::string& name = "gpt") {
  const auto text = with_tolerance(toml, "gate.toml",
                                   {name, "throughput", tolerance, std::string(edit_mark) + ", of today"});
  return text ? *text : "error: " + text.error().message;
}

TEST(ToleranceEdit, MakesATableAtTheEnd) {
  EXPECT_EQ(edited(""), "[case.\"gpt\"]\n" + mark + "\nrules.throughput.tolerance = \"-6.2%\"\n");
  EXPECT_EQ(edited("[suite]\nname = \"x\" # y"), "[suite]\nname = \"x\" # y\n\n[case.\"gpt\"]\n" + mark +
                                                     "\nrules.throughput.tolerance = \"-6.2%\"\n");
  EXPECT_THAT(edited("", "-1%", "a*b"), HasSubstr("[case.\"a[*]b\"]\n"));
}

TEST(ToleranceEdit, StandsBehindTheHeadOfTheInnermostTable) {
  const std::string line = mark + "\nrules.throughput.tolerance = \"-6.2%\"\n";
  EXPECT_EQ(edited("[case.gpt]  # mine\ntimeout = \"5m\"\n[suite]\n"),
            "[case.gpt]  # mine\n" + line + "timeout = \"5m\"\n[suite]\n");
  EXPECT_EQ(edited("[case.\"gpt\"]\nrules.throughput.window = \"after 10\"\n"),
            "[case.\"gpt\"]\n" + line + "rules.throughput.window = \"after 10\"\n");
  EXPECT_EQ(
      edited("[case.\"gpt\".rules]\nlm_loss.tolerance = \"±2%\"\n"),
      "[case.\"gpt\".rules]\n" + mark + "\nthroughput.tolerance = \"-6.2%\"\nlm_loss.tolerance = \"±2%\"\n");
  EXPECT_EQ(edited("[case.\"gpt\".rules.throughput]\nwindow = \"all\""),
            "[case.\"gpt\".rules.throughput]\n" + mark + "\ntolerance = \"-6.2%\"\nwindow = \"all\"");
}

TEST(ToleranceEdit, TakesThePlaceOfAPlainString) {
  EXPECT_EQ(edited("[case.\"gpt\"]\r\nrules.throughput.tolerance = '-5%' # why\r\n# end\r\n"),
            "[case.\"gpt\"]\r\n" + mark + "\r\nrules.throughput.tolerance = \"-6.2%\" # why\r\n# end\r\n");
  const std::string once = edited("[case.\"gpt\"]\nrules.throughput.tolerance = \"-5%\"\n");
  EXPECT_EQ(edited(once, "-7%"),
            "[case.\"gpt\"]\n" + mark + "\nrules.throughput.tolerance = \"-7%\"\n");  // one comment
}

TEST(ToleranceEdit, IsLeftToAPersonElsewhere) {
  for (const char* toml : {"[case.\"gpt\"]\nrules.throughput = { tolerance = \"-5%\" }\n",
                           "[case.\"gpt\"]\nrules.throughput.tolerance = \"\"\"-5%\"\"\"\n"})
    EXPECT_THAT(edited(toml), HasSubstr("error: ")) << toml;
  EXPECT_THAT(edited("[case.\"gpt\"]\nrules = { throughput = { tolerance = \"-5%\" } }\n"),
              HasSubstr("gate.toml:2"));
  EXPECT_THAT(edited("[case\n"), HasSubstr("error: gate.toml:1"));
}

TEST(ToleranceEdit, OfAnInlineTableIsNoSecondOne) {
  EXPECT_THAT(edited("[case.\"gpt\"]\nrules.throughput = { window = \"all\" }\n"), HasSubstr("by hand"));
}

judge::Noise noisy(const std::string& rule, double rate, int runs) {
  judge::Noise noise;
  noise.rule = rule;
  noise.tolerance = "-5%";
  noise.s = rate;
  noise.rate = rate;
  noise.runs = {runs, 1};
  return noise;
}

TEST(LinesToPaste, AreOfNoisyRulesAlone) {
  const std::vector<judge::Noise> noise{noisy("throughput", 0.02, 3), noisy("throughput", 0.03, 3),
                                        noisy("tokens", 0.009, 3), noisy("speed", 0.02, 2)};
  const std::vector<Sentence> lines = lines_to_paste("gpt", noise, 3);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.front().english(),
            "within 1 % with, in gate.toml below [case.\"gpt\"]: rules.throughput.tolerance = \"-8.1%\"");
}

}  // namespace
}  // namespace gate::config::tolerance_edit_test
