// What a self test prints, from values in literals.
#include "gate/render/selftest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gate::render::selftest_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const Style usual{Color::no, 0, false, false};
const Style quiet{Color::no, 0, true, false};
const Style verbose{Color::no, 0, false, true};

// One check of a case: each mutation with that proof, but the first, which is the reference itself.
judge::SelftestCase tried(const std::string& name, judge::Proof proof) {
  judge::SelftestCase made{name, "cpu", "gate", true, "", {}, {}};
  for (const judge::MutationRow& row : judge::mutations())
    made.results.push_back(
        {&row, "lm_loss", "lm_loss", {}, row.harmless ? judge::Proof::held : proof, "what was done"});
  return made;
}

TEST(SelftestText, NoSurvivorIsGreen) {
  const judge::Selftest selftest{{tried("a", judge::Proof::held)}};
  const std::string all = std::to_string(judge::mutations().size());
  EXPECT_EQ(selftest_text(selftest, quiet),
            "GREEN: no survivor of " + all + " mutations of 1 case (exit 0)\n");
  EXPECT_THAT(selftest_text(selftest, usual), HasSubstr("must pass"));
}

TEST(SelftestText, WhatSurvivedIsNamed) {
  judge::Selftest selftest{{tried("a", judge::Proof::held), tried("b", judge::Proof::survived)}};
  selftest.cases[1].results.back().rank = 3;
  const std::string text = selftest_text(selftest, quiet);
  EXPECT_THAT(text, HasSubstr("SURVIVED  b  cpu  lm_loss"));
  EXPECT_THAT(text, Not(HasSubstr("  a  cpu")));
  EXPECT_THAT(text, HasSubstr(" SURVIVED of "));
  EXPECT_THAT(text, EndsWith("(exit 1)\n"));
}

TEST(SelftestText, WhatWasNotTriedIsCounted) {
  judge::Selftest selftest{{tried("a", judge::Proof::held)}};
  selftest.cases[0].profile = "megatron";
  selftest.cases[0].has_script = false;
  selftest.cases.push_back({"b", "cpu", "gate", true, "no baseline", {}, {}});
  selftest.cases.push_back({"b", "npu", "gate", true, "no baseline", {}, {}});
  const std::string text = selftest_text(selftest, usual);
  EXPECT_THAT(text, HasSubstr("a (no script)"));
  EXPECT_THAT(text, HasSubstr("n/a: no baseline"));
  EXPECT_THAT(text,
              HasSubstr(" under profile megatron, 1 case on 2 platforms not tried, no script for 1 case"));
  EXPECT_EQ(selftest_text({}, quiet), "RED: nothing to try (exit 3)\n");
}

TEST(SelftestText, VerboseAndJsonHoldEveryResultAndWhatHasNoCheck) {
  judge::Selftest selftest{{tried("a", judge::Proof::held)}};
  selftest.cases[0].ungated = {{"grad_norm", "grad_norm", remark::Plain::not_in_baseline}};
  EXPECT_THAT(selftest_text(selftest, verbose),
              HasSubstr("no check  a  cpu  grad_norm  not in the baseline\n"));
  const auto json = nlohmann::json::parse(selftest_json(selftest));
  EXPECT_EQ(json["cases"][0]["results"].size(), judge::mutations().size());
  EXPECT_EQ(json["cases"][0]["ungated"][0]["reason"], "not in the baseline");
}

}  // namespace
}  // namespace gate::render::selftest_test
