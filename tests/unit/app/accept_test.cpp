// Candidates that become baselines, or do not.
#include <gmock/gmock.h>

#include "gate/judging/refusals.h"
#include "gate/schema/baseline_file.h"
#include "gate/stored/baseline.h"
#include "suite_of_files.h"

namespace gate::app::accept_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Accepting : public SuiteOfFiles {
 protected:
  Accepting() {
    script("x");
    options.words = options.named = {"x"};
    options.reason = "new tokenizer";
    options.who = "ada";
  }

  Answer<std::vector<Accepted>> accepted() { return accept(suite(), options, moment()); }

  std::string why_not() {
    const auto made = accepted();
    EXPECT_FALSE(made);
    return made ? "" : made.error().message;
  }

  Baseline stored() const { return schema::read_baseline(get("baselines/x.json"), "x.json").value(); }

  AcceptOptions options;
};

TEST_F(Accepting, WhoAndWhyStandInTheFile) {
  candidate("x", log("a.log"));
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->at(0).case_name, "x");
  EXPECT_EQ(made->at(0).path, "baselines/x.json");
  ASSERT_EQ(stored().accepted.size(), 1U);
  EXPECT_EQ(stored().accepted[0].who, "ada");
  EXPECT_EQ(stored().accepted[0].reason, "new tokenizer");
  EXPECT_FALSE(accepted()) << "it is no candidate any more";
}

TEST_F(Accepting, AReasonIsNeeded) {
  candidate("x", log("a.log"));
  options.reason = "  ";
  EXPECT_THAT(why_not(), HasSubstr("reason"));
  EXPECT_FALSE(std::filesystem::exists(root / "baselines/x.json"));
}

TEST_F(Accepting, ShorterThanThePresentIsRefusedByName) {
  baseline("x", log("a.log"));
  const std::string before = get("baselines/x.json");
  candidate("x", log("short.log", {"2.5", "2.4"}));
  EXPECT_THAT(why_not(), HasSubstr("short"));
  EXPECT_EQ(get("baselines/x.json"), before);
  options.despite = {"short", "missing"};
  ASSERT_TRUE(accepted());
  EXPECT_EQ(stored().runs[0].series[0].size(), 2U);
  EXPECT_EQ(stored().accepted.size(), 2U) << "what was accepted before is not forgotten";
}

TEST_F(Accepting, WhatIsRedMustBeNamed) {
  baseline("x", log("a.log"));
  candidate("x", log("b.log", {"2.5", "2.4", "2.1"}));
  options.named = {};
  options.words = {"*"};
  EXPECT_THAT(why_not(), HasSubstr(regressed_refusal));
  options.words = {"x"};
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->at(0).lines, testing::Contains(HasSubstr("lm_loss")));
}

TEST_F(Accepting, OneRefusalLeavesEveryFile) {
  script("y");
  baseline("x", log("a.log"));
  baseline("y", at("a.log"));
  const std::string x = get("baselines/x.json"), y = get("baselines/y.json");
  candidate("x", log("more.log", {"2.5", "2.4", "2.3", "2.2"}));
  candidate("y", log("short.log", {"2.5", "2.4"}));
  options.words = options.named = {"x", "y"};
  EXPECT_THAT(why_not(), HasSubstr("y"));
  EXPECT_EQ(get("baselines/x.json"), x);
  EXPECT_EQ(get("baselines/y.json"), y);
}

TEST_F(Accepting, OnlyTheMetricsThatAreNamed) {
  baseline("x", log("a.log"));
  candidate("x", log("b.log", {"2.5", "2.4", "2.1"}));
  options.metrics = {"iteration_*"};
  ASSERT_TRUE(accepted());
  const Baseline now = stored();
  const Series& loss = *std::ranges::find(now.runs[0].series, "lm_loss", &Series::metric);
  EXPECT_EQ(loss.find(3)->value, *parse_value("2.3")) << "the loss is what it was";
  options.metrics = {"throughput"};
  EXPECT_THAT(why_not(), HasSubstr("throughput"));
}

TEST_F(Accepting, OfAnUnknownCaseOrRefusalNothingIsDone) {
  candidate("x", log("a.log"));
  options.words = options.named = {"z"};
  EXPECT_THAT(why_not(), HasSubstr("z"));
  options.words = options.named = {"x"};
  options.despite = {"shrot"};
  EXPECT_THAT(why_not(), HasSubstr("--despite shrot: unknown"));
  options.despite = {};
  options.to = "everywhere";
  EXPECT_FALSE(accepted());
}

// Losses that rise by so many hundredths at each step.
std::vector<std::string> risen(int hundredths) {
  std::vector<std::string> losses;
  for (int i = 0; i < 3; ++i) {
    std::string loss = std::to_string(250 - 10 * i + hundredths);
    losses.push_back(loss.insert(1, "."));
  }
  return losses;
}

TEST_F(Accepting, ASlowDriftIsRefused) {
  baseline("x", log("a.log"));
  for (const int step : {1, 2}) {
    candidate("x", log("b.log", risen(step)));
    ASSERT_TRUE(accepted()) << step;
  }
  ASSERT_TRUE(stored().first);
  EXPECT_EQ(stored().first->runs[0].series[0].find(1)->value, *parse_value("2.5"));
  EXPECT_EQ(stored().first->sha256.size(), 64U);
  candidate("x", log("c.log", risen(3)));
  EXPECT_THAT(why_not(), testing::AllOf(HasSubstr("drift: lm_loss out of"), HasSubstr("first accepted")));
  options.despite = {drift_refusal};
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->at(0).warnings, testing::Contains(HasSubstr("drifted: ")));
  EXPECT_THAT(stored().accepted.back().despite, ElementsAre(drift_refusal));
  EXPECT_FALSE(stored().first) << "later ones are measured from here";
}

TEST_F(Accepting, AJumpThatIsNamedIsTheFirstAnew) {
  baseline("x", log("a.log"));
  candidate("x", log("b.log", risen(1)));
  ASSERT_TRUE(accepted());
  candidate("x", log("c.log", risen(90)));
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->at(0).warnings, testing::Contains(HasSubstr("was red: ")));
  EXPECT_FALSE(stored().first);
}

TEST_F(Accepting, TheFirstJumpIsTheFirstAnew) {
  baseline("x", log("a.log"));
  candidate("x", log("c.log", risen(90)));
  ASSERT_TRUE(accepted());
  EXPECT_FALSE(stored().first);
  candidate("x", log("d.log", risen(91)));
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
}

TEST_F(Accepting, DriftIsOfTheMetricsThatAreTaken) {
  baseline("x", log("a.log"));
  candidate("x", log("b.log", risen(1)));
  ASSERT_TRUE(accepted());
  candidate("x", log("c.log", risen(90)));
  options.metrics = {"iteration_*"};
  ASSERT_TRUE(accepted());
  ASSERT_TRUE(stored().first);
  options.metrics = {"lm_loss"};
  ASSERT_TRUE(accepted());
  ASSERT_TRUE(stored().first) << "of the other metrics";
  EXPECT_EQ(find_series(stored().first->runs[0].series, "lm_loss", {}), nullptr);
}

TEST_F(Accepting, ByTheCommonShiftWhatStandsApartIsLeftOut) {
  for (const char* name : {"x", "y", "z", "apart"}) {
    script(name);
    baseline(name, log("a.log"));
    candidate(name, log("b.log", std::string(name) == "apart" ? risen(50) : risen(2)));
  }
  options.words = options.named = {};
  EXPECT_THAT(why_not(), HasSubstr(regressed_refusal)) << "all are red";
  options.common_shift = true;
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->size(), 4U);
  EXPECT_EQ(made->back().case_name, "apart");
  EXPECT_EQ(made->back().path, "");
  EXPECT_THAT(made->back().warnings, ElementsAre(HasSubstr("stands apart: lm_loss ")));
  EXPECT_THAT(stored().accepted.back().despite, ElementsAre(regressed_refusal));
  EXPECT_THAT(get("baselines/apart.json"), HasSubstr("2.50")) << "it is what it was";
  EXPECT_THAT(why_not(), HasSubstr("--common-shift")) << "one candidate is no suite";
}

TEST_F(Accepting, AShiftOfAllIsTakenHoweverFarItIs) {
  for (const char* name : {"x", "y", "z"}) {
    script(name);
    baseline(name, log("a.log"));
    candidate(name, log("b.log", risen(1)));
  }
  options.words = options.named = {};
  ASSERT_TRUE(accepted());
  for (const char* name : {"x", "y", "z"}) candidate(name, log("c.log", risen(50)));
  EXPECT_THAT(why_not(), HasSubstr(drift_refusal));
  options.common_shift = true;
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(stored().first) << "later ones are measured from here";
}

TEST_F(Accepting, WhatTheShiftSaysNothingOfIsLeftOut) {
  for (const char* name : {"x", "y", "z", "zero", "fresh"}) {
    script(name);
    if (std::string(name) == "fresh") continue;
    baseline(name, log("a.log", std::string(name) == "zero" ? std::vector<std::string>{"0.0", "0.0", "0.0"}
                                                            : std::vector<std::string>{"2.5", "2.4", "2.3"}));
  }
  for (const char* name : {"x", "y", "z", "zero", "fresh"}) candidate(name, log("b.log", risen(2)));
  options.words = options.named = {};
  options.common_shift = true;
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  std::vector<std::string> left_out;
  for (const Accepted& one : *made)
    if (one.path.empty()) left_out.push_back(one.case_name);
  EXPECT_THAT(left_out, ElementsAre("fresh", "zero")) << "one has no baseline, one no share of it";
}

TEST_F(Accepting, OfAShortCandidateTheShiftSaysThatItIsShort) {
  for (const char* name : {"x", "y", "z", "cut"}) {
    script(name);
    baseline(name, log("a.log"));
    const bool is_cut = std::string(name) == "cut";
    candidate(name, is_cut ? log("short.log", {"2.5", "2.4"}) : log("b.log", risen(2)));
  }
  options.words = options.named = {};
  options.common_shift = true;
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->back().case_name, "cut");
  EXPECT_THAT(made->back().warnings, ElementsAre("not in the suite's shift: the candidate ends at "
                                                 "step 2, the present baseline at step 3"));
}

TEST_F(Accepting, EveryRunOfACandidateIsLookedAt) {
  baseline("x", log("a.log"));
  candidate("x", log("good.log"));
  Baseline two = *store::read_candidate(suite().layout, {"", "x"});
  candidate("x", log("bad.log", risen(50)));
  two.runs.push_back(store::read_candidate(suite().layout, {"", "x"})->runs.front());
  ASSERT_TRUE(store::write_candidate(suite().layout, two));
  options.words = options.named = {};
  EXPECT_THAT(why_not(), HasSubstr(regressed_refusal));
}

TEST_F(Accepting, TheCommonShiftOfSomeMetrics) {
  for (const char* name : {"x", "y", "z"}) {
    script(name);
    baseline(name, log("a.log"));
    candidate(name, log("b.log", risen(2)));
  }
  options.words = options.named = {};
  options.common_shift = true;
  options.metrics = {"lm_loss"};
  const auto made = accepted();
  ASSERT_TRUE(made) << made.error().message;
  for (const Accepted& one : *made) EXPECT_NE(one.path, "") << one.warnings.front().english();
}

TEST_F(Accepting, AMoreSpecificFileIsMeasuredFromTheSameFirst) {
  baseline("x", log("a.log"));
  for (const int step : {1, 2}) {
    candidate("x", log("b.log", risen(step)));
    ASSERT_TRUE(accepted()) << step;
  }
  ASSERT_TRUE(import(suite(), {{log("c.log", risen(3))}, "x", "cpu", "", {}, {}}, moment()));
  options.to = "platform";
  EXPECT_THAT(why_not(), HasSubstr(drift_refusal));
}

TEST_F(Accepting, OneMetricThatIsRedExcusesNoDriftOfAnother) {
  baseline("x", log("a.log"));
  for (const int step : {1, 2}) {
    candidate("x", log("b.log", risen(step)));
    ASSERT_TRUE(accepted()) << step;
  }
  TrainingLog slow;
  slow.losses = risen(3);
  for (std::string& loss : slow.losses) loss += "0000E+00";
  slow.time = "900.0";
  put("c.log", slow.text());
  candidate("x", at("c.log"));
  EXPECT_THAT(why_not(), HasSubstr(drift_refusal));
}

TEST_F(Accepting, EnvironmentsAreNotMixed) {
  baseline("x", log("a.log"));
  const auto made = import(suite(), {{log("b.log", risen(1))}, "x", "", "lts", {}, {}}, moment());
  ASSERT_TRUE(made) << made.error().message;
  const std::string before = get("baselines/x.json");
  const auto taken = accepted();
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(taken->at(0).path, "baselines/@lts/x.json");
  EXPECT_EQ(get("baselines/x.json"), before);
}

TEST_F(Accepting, TheFileInUseIsFound) {
  baseline("x", log("a.log"));
  const auto found = find_baseline(suite(), "x", root, "");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->baseline.case_name, "x");
  EXPECT_TRUE(find_baseline(suite(), "scripts/x.sh", root, "cpu")) << "the general one is in use there, too";
  EXPECT_FALSE(find_baseline(suite(), "z", root, ""));
}

}  // namespace
}  // namespace gate::app::accept_test
