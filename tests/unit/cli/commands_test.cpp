// Commands as a user types them, in this process: words in, and what is printed, said and returned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gate/model/rules/verdict.h"
#include "gate_in_process.h"

namespace gate::cli::commands_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST_F(Commands, ALogIsJudgedAgainstTheCasesBaseline) {
  accept_good();
  const Said green = gate({"check", at("good.log"), "--case", "a"});
  EXPECT_EQ(green.code, exit_code::ok);
  EXPECT_THAT(green.out, EndsWith("GREEN: 1 passed (exit 0)\n"));
  const Said red = gate({"check", at("bad.log"), "--case", "a"});
  EXPECT_EQ(red.code, exit_code::regressed);
  EXPECT_THAT(red.out, AllOf(HasSubstr("step 3: 2.300 -> 2.350"), EndsWith("RED: 1 regressed (exit 1)\n")));
}

TEST_F(Commands, ALogIsJudgedAgainstAnotherLog) {
  EXPECT_EQ(gate({"check", at("good.log"), "--baseline", at("good.log")}).code, exit_code::ok);
  EXPECT_EQ(gate({"check", at("bad.log"), "--baseline", at("good.log")}).code, exit_code::regressed);
  put("short.log", training({2500, 2400}));
  EXPECT_EQ(gate({"check", at("short.log"), "--baseline", at("good.log")}).code, exit_code::failed);
}

TEST_F(Commands, WithoutABaselineNothingIsJudged) {
  const Said said = gate({"check", at("good.log"), "--case", "a"});
  EXPECT_EQ(said.code, exit_code::refused);
  EXPECT_THAT(said.out, HasSubstr("no baseline"));
}

TEST_F(Commands, WhatCannotBeReadIsSaid) {
  const Said gone = gate({"check", at("gone.log"), "--case", "a"});
  EXPECT_EQ(gone.code, exit_code::usage);
  EXPECT_THAT(gone.err, HasSubstr("gone.log"));
  EXPECT_THAT(gone.out, IsEmpty());
  EXPECT_EQ(gate({"check", at("good.log"), "--case", "b"}).code, exit_code::usage);
}

TEST_F(Commands, ReportsAreWrittenWhereTheyAreNamed) {
  accept_good();
  const Said said = gate({"check", at("bad.log"), "--case", "a", "--json", "--report", at("j.xml"),
                          "--report", at("r.json"), "--report", at("m.md"), "--report",
                          "openmetrics=" + at("o.txt"), "--report", at("h.html")});
  EXPECT_EQ(said.code, exit_code::regressed);
  EXPECT_EQ(nlohmann::json::parse(said.out)["cases"][0]["verdict"], "regressed");
  EXPECT_EQ(nlohmann::json::parse(get("r.json"))["exit_code"], 1);
  EXPECT_THAT(get("j.xml"), HasSubstr("<failure"));
  EXPECT_THAT(get("m.md"), StartsWith("### RED: 1 regressed"));
  EXPECT_THAT(get("o.txt"), HasSubstr("gate_exit_code"));
  EXPECT_THAT(get("h.html"), HasSubstr("RED: 1 regressed"));
  const Said twice = gate(
      {"check", at("bad.log"), "--case", "a", "--report", "junit=" + at("x"), "--report", "html=" + at("x")});
  EXPECT_EQ(twice.code, exit_code::usage);
  EXPECT_THAT(twice.err, HasSubstr("two reports are to be written there"));
}

TEST_F(Commands, ABisectionSkipsWhatIsNotTested) {
  EXPECT_EQ(gate({"check", at("good.log"), "--case", "a", "--bisect"}).code, exit_code::infra);
  accept_good();
  EXPECT_EQ(gate({"check", at("bad.log"), "--case", "a", "--bisect"}).code, exit_code::regressed);
}

TEST_F(Commands, SeriesOfALogArePrinted) {
  const Said csv = gate({"extract", at("good.log"), "--format", "csv"});
  EXPECT_EQ(csv.code, exit_code::ok);
  EXPECT_THAT(csv.out, AllOf(StartsWith("metric,rank,number,value,unit,file,line\n"),
                             HasSubstr("lm_loss,,3,2.300E+00,,")));
  EXPECT_THAT(gate({"extract", at("good.log"), "--json"}).out, HasSubstr("\"lm_loss\""));
  EXPECT_THAT(gate({"extract", at("good.log")}).out, HasSubstr("lm_loss"));
  put("none.log", "nothing\n");
  EXPECT_EQ(gate({"extract", at("none.log")}).code, exit_code::refused);
  const Said unknown = gate({"extract", at("good.log"), "--log-format", "megatrom"});
  EXPECT_EQ(unknown.code, exit_code::usage);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"megatron\"?"));
}

TEST_F(Commands, CasesAreListedAndExplained) {
  put("scripts/b.sh", "#GATE tags=smoke\nexit 1\n");
  EXPECT_THAT(gate({"list"}).out, AllOf(HasSubstr("a"), HasSubstr("b")));
  EXPECT_THAT(gate({"list", "--tag", "smoke"}).out, Not(HasSubstr("\na ")));
  EXPECT_EQ(gate({"list", "c"}).code, exit_code::usage);
  const Said explained = gate({"list", "--explain", "b"});
  EXPECT_EQ(explained.code, exit_code::ok);
  EXPECT_THAT(explained.out, HasSubstr("smoke"));
  EXPECT_THAT(gate({"list", "--coverage"}).out, HasSubstr("b"));
  EXPECT_THAT(gate({"list", "--format", "markdown"}).out, StartsWith("|"));
  EXPECT_TRUE(nlohmann::json::accept(gate({"list", "--json"}).out));
}

TEST_F(Commands, ABaselineIsShownLintedAndTested) {
  accept_good();
  const Said shown = gate({"baseline", "list", "a"});
  EXPECT_EQ(shown.code, exit_code::ok);
  EXPECT_THAT(shown.out, HasSubstr("it is good"));
  EXPECT_EQ(nlohmann::json::parse(gate({"baseline", "list", "a", "--json"}).out)[0]["reason"], "it is good");
  EXPECT_THAT(gate({"baseline", "list"}).out, Not(HasSubstr("sha256")));
  EXPECT_EQ(gate({"baseline", "list", "b"}).code, exit_code::usage);
  EXPECT_THAT(gate({"baseline", "lint"}).out, HasSubstr("in 1 case"));
  const Said tested = gate({"selftest", "a"});
  EXPECT_EQ(tested.code, exit_code::ok) << tested.out;
  EXPECT_THAT(tested.out, HasSubstr("GREEN: no survivor of"));
  const Said blind = gate({"selftest", "a", "--set", "rules.lm_loss.tolerance=±90%"});
  EXPECT_EQ(blind.code, exit_code::ok) << "what a tolerance allows is its own affair";
}

TEST_F(Commands, AcceptingNeedsACandidateAndAReason) {
  EXPECT_EQ(gate({"baseline", "accept", "a"}).code, exit_code::usage);
  EXPECT_NE(gate({"baseline", "accept", "a", "--reason", "r"}).code, exit_code::ok);
  const Said imported = gate({"baseline", "import", at("good.log"), "--case", "a"});
  ASSERT_EQ(imported.code, exit_code::ok) << imported.err;
  EXPECT_EQ(gate({"baseline", "diff"}).code, exit_code::refused) << "there is nothing beside it";
  EXPECT_EQ(gate({"baseline", "accept", "a", "--reason", "r"}).code, exit_code::ok);
  ASSERT_EQ(gate({"baseline", "import", at("bad.log"), "--case", "a"}).code, exit_code::ok);
  const Said diff = gate({"baseline", "diff"});
  EXPECT_EQ(diff.code, exit_code::regressed);
  EXPECT_THAT(diff.out, HasSubstr("lm_loss"));
}

TEST_F(Commands, TwoLogsAreComparedWithoutAJudgement) {
  const Said same = gate({"compare", at("good.log"), at("good.log")});
  EXPECT_EQ(same.code, exit_code::ok);
  EXPECT_THAT(same.out, HasSubstr("SAME: "));
  const Said other = gate({"compare", at("good.log"), at("bad.log"), "--report", at("c.html")});
  EXPECT_EQ(other.code, exit_code::ok);
  EXPECT_THAT(other.out, HasSubstr("DIFFERENT: 1 of"));
  EXPECT_THAT(get("c.html"), HasSubstr("DIFFERENT: 1 of"));
  EXPECT_EQ(nlohmann::json::parse(gate({"compare", at("good.log"), at("bad.log"), "--json"}).out)["same"],
            false);
  EXPECT_EQ(gate({"compare", at("good.log"), "nowhere"}).code, exit_code::usage);
}

TEST_F(Commands, WithoutARunThereIsNothingToReportExplainOrRemember) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"report"}, {"explain", "a"}, {"history"}}) {
    const Said said = gate(words);
    EXPECT_NE(said.code, exit_code::ok) << words.front();
    EXPECT_THAT(said.out, IsEmpty()) << words.front();
    EXPECT_THAT(said.err, Not(IsEmpty())) << words.front();
  }
}

TEST_F(Commands, AFolderIsLookedAtAndAFileProposed) {
  std::filesystem::remove(root / "gate.toml");
  const Said dry = gate({"init", "--dry-run"});
  EXPECT_EQ(dry.code, exit_code::ok) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("[suite]"));
  EXPECT_FALSE(std::filesystem::exists(root / "gate.toml"));
  EXPECT_EQ(gate({"init"}).code, exit_code::ok);
  EXPECT_THAT(get("gate.toml"), HasSubstr("[suite]"));
  EXPECT_NE(gate({"init"}).code, exit_code::ok) << "what is there is kept";
}

TEST_F(Commands, TheManualIsTheReference) {
  EXPECT_THAT(gate({"help", "all"}).out, AllOf(HasSubstr("### gate run"), HasSubstr("GitHub Actions")));
}

TEST_F(Commands, AMistakeInTheSuiteIsSaidWithItsPlace) {
  put("gate.toml", "[suite]\nlauhcn = \"bash {script}\"\n");
  const Said said = gate({"list"});
  EXPECT_EQ(said.code, exit_code::usage);
  EXPECT_THAT(said.err, HasSubstr("gate.toml:2:1"));
  EXPECT_THAT(said.err, HasSubstr("did you mean \"launch\""));
}

}  // namespace
}  // namespace gate::cli::commands_test
