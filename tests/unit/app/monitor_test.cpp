// What a script's output means while it runs: `OutputMonitor`, line by line.
#include <gmock/gmock.h>

#include "made_up_host.h"

namespace gate::app::monitor_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Monitor : public MadeUpHost {
 protected:
  // What stands of each pulse: s a sample, c complete, r restarted, t the total is known, ! stop.
  std::string pulses_of(const std::string& log) {
    runner.plays("c", {{log}});
    report = ran();
    std::string words;
    for (const launch::Pulse& pulse : runner.pulses()) {
      words += words.empty() ? "" : " ";
      words += std::string(pulse.total_known ? "t" : "-") + (pulse.sample ? "s" : "") +
               (pulse.restarted ? "r" : "") + (pulse.complete ? "c" : "") + (pulse.stop ? "!" : "");
    }
    return words;
  }

  Report report;
};

std::vector<std::string> losses(int count, const std::string& word) {
  return std::vector<std::string>(static_cast<std::size_t>(count), word);
}

TEST_F(Monitor, EachStepIsASampleAndTheLastOneCompletes) {
  script("c");
  EXPECT_EQ(pulses_of("loading\n" + TrainingLog().text() + "done\n"), "- ts ts tsc tc");
}

TEST_F(Monitor, TheBaselineTellsTheTotal) {
  recorded("c");
  EXPECT_EQ(pulses_of("loading\n" + TrainingLog().text()), "t ts ts tsc");
}

TEST_F(Monitor, StepsThatAreNotPrintedCount) {
  script("c");
  TrainingLog log{.losses = {"2.5"}, .total = 300, .first = 100};
  const std::string hundred = log.text();
  log.first = 200;
  pulses_of(hundred + log.text());
  EXPECT_THAT(runner.pulses()[0].samples, 100);
  EXPECT_THAT(runner.pulses()[1].samples, 100);
}

TEST_F(Monitor, ARunThatBeginsAnewIsNoSilence) {
  recorded("c");
  const TrainingLog died{.losses = {"2.500000E+00", "2.400000E+00"}, .total = 3};
  EXPECT_EQ(pulses_of(died.text() + TrainingLog().text()), "ts ts tsr ts tsc");
}

TEST_F(Monitor, ACertainFailureStopsTheScriptWhereItIsWorthIt) {
  script("c", "early_stop=on");
  recorded("c", TrainingLog{.losses = losses(50, "2.500000E+00")}.text());
  std::vector<std::string> bad = losses(50, "2.500000E+00");
  bad[4] = "2.900000E+00";
  EXPECT_THAT(pulses_of(TrainingLog{.losses = bad}.text()), testing::EndsWith("ts!"));
  EXPECT_THAT(runner.pulses(), SizeIs(5));
  EXPECT_EQ(verdicts(report), "c regressed");
  EXPECT_TRUE(case_of(report, "c").outcome &&
              std::holds_alternative<StoppedEarly>(*case_of(report, "c").outcome));
}

TEST_F(Monitor, WithoutItTheScriptRunsToItsEnd) {
  script("c", "early_stop=off");
  recorded("c");
  EXPECT_EQ(pulses_of(TrainingLog{.losses = {"9.0", "9.0", "9.0"}}.text()), "ts ts tsc");
  EXPECT_EQ(verdicts(report), "c regressed");
}

TEST_F(Monitor, AMissOfTheAttemptThatDiedIsForgotten) {
  policy("[rules.lm_loss]\nmax_misses = 1\n");
  script("c", "early_stop=on");
  recorded("c");
  const TrainingLog died{.losses = {"9.0"}, .total = 3};
  const TrainingLog goes_on{.losses = {"2.500000E+00", "9.0", "2.300000E+00"}};
  EXPECT_EQ(pulses_of(died.text() + goes_on.text()), "ts tsr ts tsc");
}

TEST_F(Monitor, RecordingStopsNothing) {
  script("c", "early_stop=on");
  recorded("c");
  runner.plays("c", {{TrainingLog{.losses = {"9.0", "9.0", "9.0"}}.text()}});
  ASSERT_TRUE(record_cases());
  for (const launch::Pulse& pulse : runner.pulses()) EXPECT_FALSE(pulse.stop);
}

TEST_F(Monitor, TheRawLogIsWhatWasPrinted) {
  script("c");
  pulses_of("loading\n" + TrainingLog().text());
  EXPECT_EQ(get(".gate/latest/c/log.txt"), "loading\n" + TrainingLog().text());
}

TEST_F(Monitor, SecretsAreMaskedInTheRawLog) {
  policy("[suite]\nsecrets = [\"HUB_TOKEN\"]\n");
  ::setenv("HUB_TOKEN", "hf_abcdefgh", 1);
  script("c");
  pulses_of("token hf_abcdefgh\n" + TrainingLog().text());
  ::unsetenv("HUB_TOKEN");
  EXPECT_THAT(get(".gate/latest/c/log.txt"), Not(HasSubstr("hf_abcdefgh")));
}

}  // namespace
}  // namespace gate::app::monitor_test
