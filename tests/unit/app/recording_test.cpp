// `gate baseline record`: runs into a candidate, good only where each of them is.
#include <gmock/gmock.h>

#include "gate/schema/baseline_file.h"
#include "made_up_host.h"

namespace gate::app::recording_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Recording : public MadeUpHost {
 protected:
  Recording() { script("c"); }

  Report recorded_as(std::vector<Play> plays, int runs = 1) {
    runner.plays("c", std::move(plays));
    RunOptions options;
    options.record = runs;
    const Answer<Report> report = record_cases(options);
    EXPECT_TRUE(report);
    return *report;
  }

  Baseline candidate() const {
    const std::string path = ".gate/candidates/cpu/c.json";
    return *schema::read_baseline(get(path), path);
  }
};

const TrainingLog whole;
const TrainingLog half{.losses = {"2.500000E+00"}, .total = 3};

TEST_F(Recording, OneRunMakesACandidateAndNoBaseline) {
  const Report report = recorded_as({{whole.text()}});
  EXPECT_EQ(verdicts(report), "c passed");
  EXPECT_EQ(report.exit_code, 0);
  ASSERT_THAT(candidate().runs, SizeIs(1));
  EXPECT_EQ(candidate().runs[0].total, 3);
  EXPECT_EQ(candidate().provenance.host, "made-up");
  EXPECT_FALSE(std::filesystem::exists(root / "baselines"));
}

TEST_F(Recording, ItsSpeedIsThatOfTheDerivedMetric) {
  put("gate.toml",
      "[metrics.tokens_per_second_per_device]\nformula = '512 / iteration_time'\n[defaults]\nmodel.name = "
      "\"m\"\n");
  const Report report = recorded_as({{whole.text()}});
  const CaseReport& recorded = case_of(report, "c");
  ASSERT_TRUE(recorded.performance);
  ASSERT_THAT(recorded.performance->figures, SizeIs(1));
  EXPECT_EQ(recorded.performance->figures[0].metric, "tokens_per_second_per_device");
  EXPECT_EQ(find_series(candidate().runs[0].series, "tokens_per_second_per_device", {}), nullptr)
      << "it is stored nowhere";
}

// gate's own are left out of a launch that is as short.
TEST_F(Recording, NumbersByTimeOfTheLogAreKeptWhereARuleAsksForThem) {
  const auto keeps = [&](const std::string& rules) {
    put("gate.toml",
        "[metrics.queue]\npattern = '^queue (?P<step>\\d+) (?P<value>\\d+)'\nnumbered = \"time\"\n"
        "better = \"lower\"\n[defaults]\nsample = 60\n" +
            rules);
    recorded_as({{whole.text() + "queue 2 4000\n"}});
    return find_series(candidate().runs[0].series, "queue", {}) != nullptr;
  };
  EXPECT_FALSE(keeps(""));
  EXPECT_TRUE(keeps("[rules.queue]\nreduce = \"max\"\ntolerance = \"+10%\"\n"));
}

TEST_F(Recording, SeveralRunsAreKeptBesideOneAnother) {
  const Report report = recorded_as({{whole.text()}, {TrainingLog{.time = "102.0"}.text()}}, 2);
  EXPECT_EQ(verdicts(report), "c passed");
  EXPECT_THAT(candidate().runs, SizeIs(2));
  EXPECT_TRUE(case_of(report, "c").artifacts.contains("log-1"));
}

TEST_F(Recording, ARunThatEndsShortMakesItBadAndIsTheLast) {
  const Report report = recorded_as({{whole.text()}, {half.text()}, {whole.text()}}, 3);
  EXPECT_THAT(runner.launched(), SizeIs(2));
  EXPECT_NE(report.exit_code, 0);
  EXPECT_THAT(case_of(report, "c").reason, HasSubstr("run 2 of 3: "));
}

TEST_F(Recording, ARunThatDiesMakesItBad) {
  const Report report = recorded_as({{whole.text(), Exited{3}}});
  EXPECT_EQ(verdicts(report), "c crashed");
  EXPECT_EQ(report.exit_code, 4);
}

TEST_F(Recording, RunsOfOtherStepsAreNoRunsOfOneCase) {
  const TrainingLog more{.losses = {"2.500000E+00", "2.400000E+00", "2.300000E+00", "2.200000E+00"}};
  const Report report = recorded_as({{more.text()}, {whole.text()}}, 2);
  EXPECT_EQ(verdicts(report), "c unjudged");
  EXPECT_THAT(case_of(report, "c").reason, HasSubstr("missing: "));
}

TEST_F(Recording, WhatIsNoNumberIsNoBaseline) {
  const TrainingLog odd{.losses = {"2.500000E+00", "nan", "2.300000E+00"}};
  const Report report = recorded_as({{odd.text()}});
  EXPECT_EQ(verdicts(report), "c unjudged");
  EXPECT_THAT(case_of(report, "c").reason, HasSubstr("non_finite: "));
}

TEST_F(Recording, ALogThatSaysNothingIsNone) {
  const Report report = recorded_as({{"hello\n"}});
  EXPECT_EQ(verdicts(report), "c unjudged");
  EXPECT_FALSE(std::filesystem::exists(root / ".gate/candidates/cpu/c.json"));
}

TEST_F(Recording, ASignalBetweenTwoRunsLeavesItUnfinished) {
  const Report report = recorded_as({{.meanwhile = [this] { signal = 2; }}, {}}, 2);
  EXPECT_THAT(runner.launched(), SizeIs(1));
  EXPECT_NE(verdicts(report), "c passed");
}

TEST_F(Recording, OfFewerRunsThanWereAskedForMakesNoCandidate) {
  runner.plays("c", {{.meanwhile = [this] { time.pass(std::chrono::hours(1)); }}});
  RunOptions options;
  options.record = 2;
  options.deadline = std::chrono::minutes(1);
  const Answer<Report> report = record_cases(options);
  ASSERT_TRUE(report);
  EXPECT_EQ(case_of(*report, "c").reason, "run 1 of 2: no further run could start: --deadline 1m was up");
  EXPECT_FALSE(std::filesystem::exists(root / ".gate/candidates/cpu/c.json"));
}

}  // namespace
}  // namespace gate::app::recording_test
