// A fault of a case: when it is due, what is said of it, and the second start of a script that it ended.
#include "places/launch/fault_watch.h"

#include <gmock/gmock.h>

#include "made_up_host.h"

namespace gate::app::fault_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Fault at_step(std::int64_t step, FaultAction action = FaultAction::kill) {
  Fault fault;
  fault.action = action;
  fault.step = step;
  return fault;
}

StartSteps steps(std::int64_t first, std::int64_t last) {
  StartSteps made;
  for (std::int64_t step = first; step <= last; ++step) made.add(step);
  return made;
}

// A script that was killed behind step 5, and printed these in two starts.
FaultStory story_of(const StartSteps& first, const StartSteps& second) {
  FaultStory story{at_step(5)};
  story.last_step = 20;
  story.asked_at = 5;
  story.inflicted = launch::Inflicted{Duration(100), 4};
  story.away = Duration(2100);
  story.starts = {first, second};
  return story;
}

TEST(FaultStory, TellsWhatWasComputedTwice) {
  const FaultStory story = story_of(steps(1, 6), steps(4, 20));
  EXPECT_EQ(why_not_shown(story), "");
  EXPECT_THAT(notes_on(story),
              ElementsAre("killed at step 5, as fault = kill@5 says; started again after 2.1s; went on at "
                          "step 4; steps 4-6 were computed twice",
                          "of which step the checkpoint was that it went on after is not known",
                          "the speed of steps 4-6 is not compared: the training had just gone on"));
  EXPECT_EQ(to_string(unsteady_steps(story)), "4-6");
}

TEST(FaultStory, OfWhatGoesOnBehindTheLastStepOneIsUnsteady) {
  const FaultStory story = story_of(steps(1, 6), steps(7, 20));
  EXPECT_EQ(why_not_shown(story), "");
  EXPECT_EQ(to_string(unsteady_steps(story)), "7");
  EXPECT_THAT(notes_on(story).front().english(), testing::EndsWith("; went on at step 7"));
}

TEST(FaultStory, WhatBeginsAtTheFirstStepResumedNothing) {
  FaultStory story = story_of(steps(3, 6), steps(3, 20));
  EXPECT_EQ(why_not_shown(story), "began at step 3: nothing was resumed");
  story.starts[1] = steps(1, 20);
  EXPECT_EQ(why_not_shown(story), "began at step 1: nothing was resumed");
  story.fault.may_begin_anew = true;
  EXPECT_EQ(why_not_shown(story), "");
  EXPECT_TRUE(unsteady_steps(story).empty()) << "it is a whole run";
}

TEST(FaultStory, WhatBeginsBehindAHoleLacksSteps) {
  FaultStory story = story_of(steps(1, 6), steps(9, 20));
  EXPECT_EQ(why_not_shown(story), "steps 7-8 missing: its second start began behind them");
  story.starts[0] = {};
  for (const std::int64_t step : {10, 20, 30}) story.starts[0].add(step);
  story.starts[1] = steps(40, 45);
  EXPECT_EQ(why_not_shown(story), "") << "every tenth step is printed";
  story.starts[1] = steps(41, 45);
  EXPECT_EQ(why_not_shown(story), "steps 31-40 missing: its second start began behind them");
}

TEST(FaultStory, WhatGoesOnMustGoOnBehindTheNewestCheckpoint) {
  FaultStory story = story_of(steps(1, 6), steps(4, 20));
  story.checkpoint = 3;
  EXPECT_EQ(why_not_shown(story), "");
  story.checkpoint = 5;
  EXPECT_EQ(why_not_shown(story), "began at step 4: the newest checkpoint was of step 5");
  story.checkpoint = 2;
  EXPECT_EQ(why_not_shown(story), "began at step 4: the newest checkpoint was of step 2");
  story.fault.may_begin_anew = true;
  EXPECT_EQ(why_not_shown(story), "");
  story.torn_checkpoint = "the tracker is empty";
  EXPECT_EQ(why_not_shown(story), "");
  story.fault.may_begin_anew = false;
  EXPECT_EQ(why_not_shown(story), "the tracker is empty");
}

TEST(FaultStory, ASecondStartWithoutStepsShowsNothing) {
  FaultStory story = story_of(steps(1, 6), {});
  EXPECT_EQ(why_not_shown(story), "its second start printed no step");
  story.last_step = 8;
  EXPECT_EQ(why_not_shown(story), "its second start printed no step");
  for (const std::int64_t last : {5, 6}) {
    story.last_step = last;
    EXPECT_EQ(why_not_shown(story),
              "its second start printed no step, for none was left: choose an earlier step for the fault");
  }
}

TEST(FaultStory, OfAFaultThatHitNothingSaysWhy) {
  FaultStory story{at_step(15)};
  EXPECT_EQ(why_not_shown(story), "the run ended before step 15: no fault was inflicted");
  EXPECT_THAT(notes_on(story), IsEmpty());
  story.asked_at = 16;
  EXPECT_EQ(why_not_shown(story), "the run had ended when gate saw step 16: no fault was inflicted");
  story.fault.rank = 7;
  story.inflicted = launch::Inflicted{Duration(100), 0};
  EXPECT_EQ(why_not_shown(story), "there was no process of rank 7 at step 16: no fault was inflicted");
  FaultStory share{at_step(0)};
  share.fault.percent = 20;
  EXPECT_EQ(
      why_not_shown(share),
      "it is not known which step the last one is, and 20% of the run is none then; say steps: no fault "
      "was inflicted");
}

TEST(FaultStory, WantsASecondStartWhereTheFirstDidNotComeToItsEnd) {
  FaultStory story = story_of(steps(1, 6), {});
  story.starts.pop_back();
  EXPECT_TRUE(wants_second_start(story, Killed{9}));
  EXPECT_TRUE(wants_second_start(story, Exited{0})) << "short of its end";
  EXPECT_TRUE(wants_second_start(story, Hung{}));
  for (const Outcome& of_gate :
       {Outcome(Interrupted{2}), Outcome(TimedOut{}), Outcome(PastDeadline{}), Outcome(GateFailed{}),
        Outcome(Vanished{}), Outcome(NotStarted{}), Outcome(ScriptChanged{})})
    EXPECT_FALSE(wants_second_start(story, of_gate)) << text(of_gate).english();
  story.starts = {steps(1, 20)};
  EXPECT_FALSE(wants_second_start(story, Exited{0})) << "it went on to its end";
  EXPECT_TRUE(wants_second_start(story, Exited{1}));
  story.last_step.reset();
  EXPECT_TRUE(wants_second_start(story, Exited{0}));
  story.fault.rank = 1;
  EXPECT_FALSE(wants_second_start(story, Exited{0})) << "the others went on";
  story.inflicted->processes = 0;
  EXPECT_FALSE(wants_second_start(story, Exited{1}));
  story.inflicted.reset();
  EXPECT_FALSE(wants_second_start(story, Exited{1}));
}

TEST(FaultWatch, IsDueOnceBehindItsStep) {
  FaultWatch watch(at_step(5));
  EXPECT_FALSE(watch.take_due(4, {}));
  EXPECT_TRUE(watch.take_due(7, {}));
  EXPECT_FALSE(watch.take_due(8, {}));
  EXPECT_EQ(watch.story().asked_at, 7);
}

TEST(FaultWatch, AShareIsDueOnceTheLastStepIsKnown) {
  Fault fault;
  fault.percent = 20;
  FaultWatch watch(fault);
  EXPECT_FALSE(watch.take_due(1000, {}));
  watch.know(11);
  EXPECT_FALSE(watch.take_due(2, {}));
  EXPECT_TRUE(watch.take_due(3, {}));
  EXPECT_EQ(fault.due(3), 1);
  EXPECT_EQ(fault.due(std::int64_t{1} << 62), (((std::int64_t{1} << 52) * 20) + 99) / 100);
}

TEST(FaultWatch, WithoutAFaultNothingIsDue) {
  FaultWatch watch(std::nullopt);
  watch.on_step(1, false, {});
  EXPECT_FALSE(watch.take_due(100, {}));
  EXPECT_FALSE(watch.is_there());
}

TEST(FaultWatch, TellsTheStepThatAPauseFellInto) {
  Fault fault = at_step(5, FaultAction::pause);
  fault.pause = std::chrono::seconds(10);
  FaultWatch watch(fault);
  const SteadyTime::Point begin{};
  watch.on_step(5, false, begin);
  ASSERT_TRUE(watch.take_due(5, begin));
  watch.on_step(6, false, begin + std::chrono::milliseconds(5));
  EXPECT_FALSE(watch.story().slow) << "it was in the pipe";
  watch.on_step(7, false, begin + std::chrono::seconds(10));
  watch.on_step(8, false, begin + std::chrono::seconds(11));
  EXPECT_EQ(watch.story().slow, 7);
}

TEST(FaultWatch, WhatBeginsAnewByItselfIsAStart) {
  FaultWatch watch(at_step(2));
  watch.on_step(1, false, {});
  watch.on_step(1, true, {});  // before it
  watch.on_step(2, false, {});
  ASSERT_TRUE(watch.take_due(2, {}));
  watch.on_step(2, true, {});
  watch.on_step(3, false, {});
  ASSERT_EQ(watch.story().starts.size(), 2U);
  EXPECT_EQ(watch.story().starts[1].first, 2);
  EXPECT_EQ(watch.story().starts[1].last, 3);
}

// --- a run ---

class Faults : public MadeUpHost {
 protected:
  Faults() {
    script("c", "fault=kill@3");
    policy("[rules]\niteration_time = false\n");
    recorded("c", TrainingLog{.losses = all}.text());
  }

  // What starts that print these steps make of the case.
  const CaseReport& with_starts(std::vector<Play> plays) {
    runner.plays("c", std::move(plays));
    report_ = ran();
    return report_.cases.front();
  }
  Play from(int first, int last) const {
    TrainingLog log{.time = first == 1 ? "100.0" : "900.0", .total = 6, .first = first};
    log.losses = {all.begin() + first - 1, all.begin() + last};
    return {log.text()};
  }

  const std::vector<std::string> all = {"2.600000E+00", "2.500000E+00", "2.400000E+00",
                                        "2.300000E+00", "2.200000E+00", "2.100000E+00"};
  Report report_;
};

TEST_F(Faults, ARecordingIsNotDisturbed) {
  runner.plays("c", {from(1, 6)});
  ASSERT_TRUE(record_cases());
  EXPECT_THAT(runner.launched(), ElementsAre("c"));
  EXPECT_EQ(runner.environment("c")["GATE_START"], "1");
  for (const launch::Pulse& pulse : runner.pulses()) EXPECT_FALSE(pulse.fault);
}

TEST_F(Faults, AKilledScriptIsStartedAgainAndJudgedAsOneRun) {
  const CaseReport& report = with_starts({from(1, 6), from(3, 6)});
  EXPECT_EQ(report.verdict, Verdict::passed) << report.reason.english();
  EXPECT_THAT(runner.launched(), ElementsAre("c", "c"));
  EXPECT_EQ(runner.environment("c", 1)["GATE_START"], "1");
  EXPECT_EQ(runner.environment("c", 2)["GATE_START"], "2");
  EXPECT_NE(runner.environment("c", 1)["GATE_LAUNCH"], runner.environment("c", 2)["GATE_LAUNCH"]);
  EXPECT_EQ(runner.environment("c", 1)["GATE_CHECKPOINT_DIR"],
            runner.environment("c", 2)["GATE_CHECKPOINT_DIR"]);
  EXPECT_THAT(report.problems, IsEmpty());
  EXPECT_GT(report.duration, Duration(3000)) << "it is of both";
}

TEST_F(Faults, TheSpeedOfStepsComputedTwiceIsNotCompared) {
  policy("[rules.iteration_time]\nwindow = \"all\"\ntolerance = \"+1%\"\n");
  Play second = from(3, 3);
  second.log += TrainingLog{.losses = {all[3], all[4], all[5]}, .total = 6, .first = 4}.text();
  EXPECT_EQ(with_starts({from(1, 6), second}).verdict, Verdict::passed)
      << report_.cases.front().reason.english();
  EXPECT_EQ(with_starts({from(1, 6), from(3, 6)}).verdict, Verdict::regressed) << "steps 4-6 are slow";
}

TEST_F(Faults, WhatResumesNothingIsIncompleteAlsoWhereItIsRight) {
  const CaseReport& report = with_starts({from(1, 6), from(1, 6)});
  EXPECT_EQ(report.verdict, Verdict::incomplete);
  EXPECT_EQ(report.reason, "began at step 1: nothing was resumed");
}

TEST_F(Faults, ThereIsNoThirdStart) {
  Play dies = from(3, 4);
  dies.outcome = Exited{1};
  EXPECT_EQ(with_starts({from(1, 6), dies}).verdict, Verdict::crashed);
  EXPECT_THAT(runner.launched(), ElementsAre("c", "c"));
}

TEST_F(Faults, WhoSurvivesIsNotStartedAgain) {
  Play lives = from(1, 6);
  lives.survives = true;
  lives.log = from(1, 4).log + from(3, 6).log;
  const CaseReport& report = with_starts({lives});
  EXPECT_EQ(report.verdict, Verdict::passed) << report.reason.english();
  EXPECT_THAT(runner.launched(), ElementsAre("c"));
}

TEST_F(Faults, WhoGoesOnWithoutABreakShowsNothing) {
  Play bystander = from(1, 6);
  bystander.survives = true;
  EXPECT_EQ(with_starts({bystander}).verdict, Verdict::incomplete);
  EXPECT_THAT(report_.cases.front().reason, HasSubstr("without a break behind step"));
}

TEST(FaultStory, APauseBehindWhichNoStepCameShowsNothing) {
  FaultStory story = story_of(steps(1, 5), {});
  story.fault.action = FaultAction::pause;
  story.starts.pop_back();
  EXPECT_EQ(why_not_shown(story), "no step came behind the pause");
  story.starts.front().add(6);
  EXPECT_EQ(why_not_shown(story), "");
}

TEST(FaultStory, ALogThatCountsFromZeroIsOneStepBehindItsCheckpoint) {
  FaultStory story = story_of(steps(0, 6), steps(4, 20));
  story.checkpoint = 4;
  EXPECT_EQ(why_not_shown(story), "");
  story.checkpoint = 3;
  EXPECT_EQ(why_not_shown(story), "began at step 4: the newest checkpoint was of step 3");
}

TEST_F(Faults, WhatIsHitByNothingIsIncomplete) {
  Play nobody = from(1, 6);
  nobody.hit = 0;
  EXPECT_EQ(with_starts({nobody}).verdict, Verdict::incomplete);
  EXPECT_THAT(report_.cases.front().reason, HasSubstr("no fault was inflicted"));
}

TEST_F(Faults, WhoIsStoppedBetweenTheStartsMakesNoSecond) {
  Play killed = from(1, 6);
  killed.meanwhile = [this] { signal = 2; };
  killed.outcome = Killed{9};
  // The script falls first; the signal comes right behind it.
  const CaseReport& report = with_starts({killed, from(3, 6)});
  EXPECT_EQ(report.verdict, Verdict::interrupted);
  EXPECT_THAT(runner.launched(), ElementsAre("c"));
}

TEST_F(Faults, TheTimeoutIsOfBothStarts) {
  script("c", "fault=kill@3 timeout=1s");
  const CaseReport& report = with_starts({from(1, 6), from(3, 6)});
  EXPECT_EQ(report.verdict, Verdict::timed_out);
  EXPECT_THAT(runner.launched(), ElementsAre("c"));
}

TEST_F(Faults, RepeatedRunsHaveTheirFaultEach) {
  policy("[case.c]\nrepeat = 2\n[rules]\niteration_time = false\n");
  const CaseReport& report = with_starts({from(1, 6), from(3, 6), from(1, 6), from(3, 6)});
  EXPECT_EQ(report.verdict, Verdict::passed) << report.reason.english();
  EXPECT_THAT(runner.launched(), ElementsAre("c", "c", "c", "c"));
  EXPECT_EQ(with_starts({from(1, 6), from(3, 6), from(1, 6), from(1, 6)}).verdict, Verdict::incomplete);
}

// Too slow alone, and good by the mean: that nothing was resumed must not get lost.
TEST_F(Faults, TheMeanIsNoReasonToOverlookThatNothingWasResumed) {
  policy("[case.c]\nrepeat = 2\n[rules.iteration_time]\nwindow = \"all\"\ntolerance = \"+50%\"\n");
  const auto at = [this](int first, const std::string& time) {
    TrainingLog log{.time = time, .total = 6, .first = first};
    log.losses = {all.begin() + first - 1, all.end()};
    return Play{log.text()};
  };
  EXPECT_EQ(with_starts({from(1, 6), at(3, "100.0"), from(1, 6), at(3, "180.0")}).verdict, Verdict::passed)
      << report_.cases.front().reason.english();
  EXPECT_NE(with_starts({from(1, 6), at(3, "100.0"), from(1, 6), at(1, "180.0")}).verdict, Verdict::passed);
}

TEST_F(Faults, SpeedIsNoReasonToOverlookThatNothingWasResumed) {
  policy("[rules.iteration_time]\nwindow = \"all\"\ntolerance = \"+1%\"\n");
  Play slow = from(1, 6);
  slow.log = TrainingLog{.losses = all, .time = "900.0"}.text();
  RunOptions options;
  options.confirm = 2;
  runner.plays("c", {from(1, 6), slow, from(1, 6), from(3, 6)});
  EXPECT_NE(ran(options).cases.front().verdict, Verdict::passed);
}

}  // namespace
}  // namespace gate::app::fault_test
