// What a run ran on, from what was seen of its launch to the report.
#include <gmock/gmock.h>

#include "gate/schema/baseline_file.h"
#include "made_up_host.h"

namespace gate::app::fingerprint_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FingerprintOfRun : public MadeUpHost {
 protected:
  FingerprintOfRun() {
    host.told.driver = "24.1.rc2";
    host.told.firmware = "7.3";
    host.told.toolkit = "CANN 8.0.RC2";
    host.told.kernel = "5.10";
    before.python = "3.11.7";
    before.packages = {{"torch", "2.1.0"}};
    before.switches.emplace();
  }

  CaseReport ran_with(const Fingerprint& seen, const TrainingLog& log = {}) {
    Play play{log.text()};
    play.fingerprint = seen;
    runner.plays("c", {play});
    return ran().cases.front();
  }

  Provenance candidate() const {
    return schema::read_baseline(get("baselines/cpu/c.json"), "c.json")->provenance;
  }

  static CheckStatus status_of(const CaseReport& report, const std::string& metric) {
    for (const Check& check : report.checks)
      if (check.metric == metric) return check.status;
    return CheckStatus::missing;
  }

  Fingerprint before;
};

TEST_F(FingerprintOfRun, IsRecordedAndWhatWasNotSeenIsTheHosts) {
  before.toolkit = "CANN 8.0.RC3";
  recorded("c", TrainingLog().text(), before);
  const Provenance found = candidate();
  EXPECT_EQ(found.packages.at("torch"), "2.1.0");
  EXPECT_EQ(found.python, "3.11.7");
  EXPECT_EQ(found.switches, before.switches);
  EXPECT_EQ(found.toolkit, "CANN 8.0.RC3") << "as the script saw it";
  EXPECT_EQ(found.driver, "24.1.rc2");
  EXPECT_EQ(found.firmware, "7.3");
  EXPECT_EQ(found.kernel, "5.10");
}

TEST_F(FingerprintOfRun, ASecretInASwitchIsMasked) {
  ::setenv("GATE_TEST_TOKEN", "very-secret-word", 1);
  before.switches = std::map<std::string, std::string>{{"NCCL_ALGO", "very-secret-word"}};
  recorded("c", TrainingLog().text(), before);
  ::unsetenv("GATE_TEST_TOKEN");
  EXPECT_THAT(get("baselines/cpu/c.json"), testing::Not(HasSubstr("very-secret-word")));
  EXPECT_EQ(candidate().switches->count("NCCL_ALGO"), 1U);
}

TEST_F(FingerprintOfRun, WhatDiffersIsSaidOfPassedCasesToo) {
  recorded("c", TrainingLog().text(), before);
  EXPECT_THAT(ran_with(before).differs, IsEmpty());
  before.packages = {{"torch", "2.2.0"}};
  const CaseReport report = ran_with(before);
  EXPECT_EQ(report.verdict, Verdict::passed);
  EXPECT_THAT(report.differs, ElementsAre(FactChange{"torch", "2.1.0", "2.2.0"}));
  EXPECT_THAT(ran_with({}).differs, IsEmpty()) << "nothing was seen";
}

TEST_F(FingerprintOfRun, AChangedDeterminismSwitchLeavesSpeedUnjudged) {
  recorded("c", TrainingLog().text(), before);
  before.switches = std::map<std::string, std::string>{{"HCCL_DETERMINISTIC", "true"}};
  const CaseReport slow = ran_with(before, {.time = "900.0"});
  EXPECT_EQ(slow.verdict, Verdict::unjudged);
  EXPECT_EQ(status_of(slow, "iteration_time"), CheckStatus::incomparable);
  EXPECT_EQ(status_of(slow, "lm_loss"), CheckStatus::pass);
  const CaseReport wrong = ran_with(before, {.losses = {"2.5", "2.4", "9.9"}});
  EXPECT_EQ(wrong.verdict, Verdict::regressed);
}

// A step time whose mean cannot come back into its limit.
class SpeedWhileItRuns : public FingerprintOfRun {
 protected:
  SpeedWhileItRuns() {
    script("c", "early_stop=on");
    log.losses = std::vector<std::string>(20, "2.500000E+00");
  }
  std::string outcome_with(const Fingerprint& seen) {
    log.time = "9000.0";
    return text(*ran_with(seen, log).outcome).english();
  }
  TrainingLog log;
};

TEST_F(SpeedWhileItRuns, StopsWhereNoSwitchIsKnownOrHasChanged) {
  recorded("c", log.text());
  EXPECT_THAT(outcome_with({}), HasSubstr("stopped early"));
  log.time = "100.0";
  recorded("c", log.text(), before);
  EXPECT_THAT(outcome_with(before), HasSubstr("stopped early"));
}

TEST_F(SpeedWhileItRuns, StopsNothingWhereASwitchHasChangedOrMayHave) {
  recorded("c", log.text(), before);
  EXPECT_EQ(outcome_with({}), "exited 0");
  before.switches = std::map<std::string, std::string>{{"HCCL_DETERMINISTIC", "true"}};
  EXPECT_EQ(outcome_with(before), "exited 0");
}

}  // namespace
}  // namespace gate::app::fingerprint_test
