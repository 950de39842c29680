// --retry-infra: what the host did may go better the next time; what the script did would not.
#include <gmock/gmock.h>

#include "made_up_host.h"

namespace gate::app::retry_test {
namespace {

using testing::Contains;
using testing::Key;
using testing::SizeIs;

class Retry : public MadeUpHost {
 protected:
  Retry() { recorded("c"); }

  Report run_playing(std::vector<Play> plays, int retries) {
    runner.plays("c", std::move(plays));
    RunOptions options;
    options.retry_infra = retries;
    return ran(options);
  }
};

const Play no_host{.outcome = NotStarted{"no more processes"}};

TEST_F(Retry, WhatTheHostDidIsTriedAgain) {
  const Report report = run_playing({no_host, no_host, {}}, 2);
  EXPECT_EQ(verdicts(report), "c passed");
  EXPECT_THAT(runner.launched(), SizeIs(3));
  EXPECT_THAT(report.cases[0].artifacts, Contains(Key("log")));
}

TEST_F(Retry, AsOftenAsItWasTold) {
  EXPECT_EQ(verdicts(run_playing({no_host, no_host, {}}, 1)), "c infra");
  EXPECT_THAT(runner.launched(), SizeIs(2));
}

TEST_F(Retry, WithoutItOneLaunchDecides) {
  EXPECT_EQ(verdicts(run_playing({no_host, {}}, 0)), "c infra");
  EXPECT_THAT(runner.launched(), SizeIs(1));
}

TEST_F(Retry, WhatTheScriptDidIsNot) {
  EXPECT_EQ(verdicts(run_playing({{"", Exited{3}}, {}}, 2)), "c crashed");
  EXPECT_THAT(runner.launched(), SizeIs(1));
  runner.forget();
  EXPECT_EQ(verdicts(run_playing({{TrainingLog{.losses = {"9.0", "9.0", "9.0"}}.text()}, {}}, 2)),
            "c regressed");
  EXPECT_THAT(runner.launched(), SizeIs(1));
}

TEST_F(Retry, AScriptThatIsNotWhatWasPlannedStaysSo) {
  for (int retries : {0, 2}) {
    EXPECT_EQ(verdicts(run_playing({{.outcome = ScriptChanged{"c.sh: run again"}}, {}}, retries)),
              "c not_run");
    EXPECT_THAT(runner.launched(), SizeIs(1));
    runner.forget();
  }
}

TEST_F(Retry, EachRunOfAConfirmationHasItsOwn) {
  const Play slow{TrainingLog{.time = "109.0"}.text()};
  runner.plays("c", {no_host, slow, no_host, slow, no_host, slow});
  RunOptions options;
  options.retry_infra = 1;
  options.confirm = 3;
  EXPECT_EQ(verdicts(ran(options)), "c regressed");
  EXPECT_THAT(runner.launched(), SizeIs(6));
}

TEST_F(Retry, ASignalEndsIt) {
  Play gone = no_host;
  signal = std::nullopt;
  runner.plays("c", {no_host, {.meanwhile = [this] { signal = 15; }}, {}});
  RunOptions options;
  options.retry_infra = 5;
  EXPECT_EQ(verdicts(ran(options)), "c interrupted");
  EXPECT_THAT(runner.launched(), SizeIs(2));
}

}  // namespace
}  // namespace gate::app::retry_test
