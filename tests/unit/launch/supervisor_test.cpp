// What becomes of a launch: what is seen of it and when, in literals.
#include "launch/supervisor.h"

#include <gtest/gtest.h>

#include <csignal>

namespace gate::launch::supervisor_test {
namespace {

using namespace std::chrono_literals;

const Patience patience{.settle = 2s, .term = 3s, .kill = 10s};

Limits limits() {
  Limits made;
  made.timeout = 2h;
  made.startup = 30min;
  made.hang = 15min;
  made.grace = 30s;
  return made;
}

// A launch that is told what is seen, and says what phase it is in.
class Told {
 public:
  explicit Told(const Limits& limits, SetupStep setup = SetupStep::none)
      : supervisor_(limits, setup, patience) {}

  Phase sample(Duration at, int count = 1) {
    supervisor_.hear({.sample = true, .stop = {}, .samples = count}, at);
    return step({.at = at});
  }
  Phase hear(const Pulse& pulse, Duration at) {
    supervisor_.hear(pulse, at);
    return step({.at = at});
  }
  Phase silent(Duration at) { return step({.at = at}); }
  Phase ends(const Outcome& outcome, Duration at) { return step({.at = at, .ended = outcome}); }
  Phase empty(Duration at) { return step({.at = at, .is_empty = true}); }
  Phase step(const Seen& seen) { return supervisor_.step(seen); }

  Supervisor& supervisor() { return supervisor_; }
  std::string outcome() const { return text(supervisor_.outcome()).english(); }

 private:
  Supervisor supervisor_;
};

TEST(Supervisor, AScriptThatEndsByItselfSettles) {
  Told told(limits());
  EXPECT_EQ(told.sample(10s), Phase::script);
  EXPECT_EQ(told.ends(Exited{0}, 20s), Phase::settling);
  EXPECT_EQ(told.silent(21s), Phase::settling);
  EXPECT_EQ(told.empty(21500ms), Phase::done);
  EXPECT_EQ(told.outcome(), "exited 0");
  EXPECT_EQ(told.supervisor().script_time(), Duration(20s));
}

TEST(Supervisor, WhatOutlivesTheScriptIsStopped) {
  Told told(limits());
  told.ends(Exited{3}, 20s);
  EXPECT_EQ(told.silent(21999ms), Phase::settling);
  EXPECT_EQ(told.silent(22s), Phase::ending);
  EXPECT_EQ(told.silent(24999ms), Phase::ending);
  EXPECT_EQ(told.silent(25s), Phase::killing);
  EXPECT_EQ(told.silent(34999ms), Phase::killing);
  EXPECT_EQ(told.silent(35s), Phase::done) << "what KILL does not end is not waited for";
  EXPECT_EQ(told.outcome(), "exited 3");
}

TEST(Supervisor, HangsBeforeTheFirstStep) {
  Told told(limits());
  EXPECT_EQ(told.silent(30min - 1ms), Phase::script);
  EXPECT_EQ(told.silent(30min), Phase::asking);
  EXPECT_EQ(told.outcome(), "hung during startup: silent 30m, limit 30m");
}

TEST(Supervisor, HangsAfterTheFirstStep) {
  Told told(limits());
  told.sample(1min);
  EXPECT_EQ(told.silent(31min - 1ms), Phase::script) << "up to the second step it is starting up";
  told.sample(2min);
  EXPECT_EQ(told.silent(17min - 1ms), Phase::script);
  EXPECT_EQ(told.silent(17min), Phase::asking);
  EXPECT_EQ(told.outcome(), "hung during training: silent 15m, limit 15m");
}

TEST(Supervisor, ALogOfEveryHundredthStepMayBeSilentFiveTimesAsLong) {
  Told told(limits());
  for (int step = 0; step < 4; ++step) told.sample(10min * step + 1min);
  EXPECT_EQ(told.silent(31min + 50min - 1ms), Phase::script);
  EXPECT_EQ(told.silent(31min + 50min), Phase::asking);
  EXPECT_EQ(told.outcome(), "hung during training: silent 50m, limit 50m");
}

TEST(Supervisor, AHundredStepsInOneBlockAreNoStartup) {
  Told told(limits());
  told.sample(1min, 100);
  EXPECT_EQ(told.silent(16min), Phase::asking);
}

TEST(Supervisor, TheTimeLimitHoldsHoweverLivelyItIs) {
  Told told(limits());
  for (int minute = 1; minute < 120; ++minute) EXPECT_EQ(told.sample(minute * 1min), Phase::script);
  EXPECT_EQ(told.sample(2h), Phase::asking);
  EXPECT_EQ(told.outcome(), "timed out after 2h");
}

TEST(Supervisor, WithoutStepsOnlyTheTimeLimitHolds) {
  Limits exit_only = limits();
  exit_only.has_steps = false;
  Told told(exit_only);
  EXPECT_EQ(told.silent(2h - 1ms), Phase::script);
  EXPECT_EQ(told.silent(2h), Phase::asking);
}

TEST(Supervisor, TheDeadlineOfTheRunComesFirst) {
  Limits late = limits();
  late.rest = 5min;
  late.deadline = 3h;
  Told told(late);
  EXPECT_EQ(told.silent(5min), Phase::asking);
  EXPECT_EQ(kind_of(told.supervisor().outcome()), "past_deadline");
}

TEST(Supervisor, TheLauncherHasItsGrace) {
  Told told(limits());
  told.step({.at = 10s, .interrupted = Interrupted{SIGTERM}});
  EXPECT_EQ(told.silent(40s - 1ms), Phase::asking);
  EXPECT_EQ(told.silent(40s), Phase::ending);
  Told quick(limits());
  quick.step({.at = 10s, .interrupted = Interrupted{SIGTERM}});
  EXPECT_EQ(quick.ends(Exited{143}, 11s), Phase::ending) << "the rest need not wait for the grace";
  EXPECT_EQ(quick.empty(11s), Phase::done);
  EXPECT_EQ(kind_of(quick.supervisor().outcome()), "interrupted") << "and not how it ended when it was asked";
}

TEST(Supervisor, ASecondSignalCutsEveryWait) {
  Told told(limits());
  told.step({.at = 10s, .interrupted = Interrupted{SIGINT}});
  EXPECT_EQ(told.step({.at = 11s, .has_second_signal = true}), Phase::ending);
  EXPECT_EQ(told.step({.at = 11s, .has_second_signal = true}), Phase::killing);
  EXPECT_EQ(told.step({.at = 11s, .is_empty = true, .has_second_signal = true}), Phase::done);
}

TEST(Supervisor, ARuleStopsIt) {
  Told told(limits());
  told.sample(1min);
  EXPECT_EQ(told.hear({.sample = true, .stop = StoppedEarly{"lm_loss step 3"}}, 2min), Phase::asking);
  EXPECT_TRUE(told.supervisor().has_demand());
  EXPECT_EQ(told.outcome(), "stopped early: lm_loss step 3");
}

TEST(Supervisor, WhatHasEndedIsNotStoppedAnyMore) {
  Told told(limits());
  told.supervisor().hear({.stop = StoppedEarly{"lm_loss step 3"}}, 1min);
  EXPECT_EQ(told.step({.at = 3h, .ended = Exited{0}, .interrupted = Interrupted{SIGTERM}}), Phase::settling);
  EXPECT_EQ(told.outcome(), "exited 0");
}

TEST(Supervisor, OutputOfWhatIsStoppedHasNoSay) {
  Told told(limits());
  told.step({.at = 10s, .interrupted = Interrupted{SIGTERM}});
  EXPECT_FALSE(told.supervisor().is_listening());
  told.hear({.stop = GateFailed{"the disk is full"}}, 11s);
  EXPECT_EQ(kind_of(told.supervisor().outcome()), "interrupted");
  EXPECT_FALSE(told.supervisor().has_demand());
}

// Nobody holds the status of what gate, or an agent, has lost.
TEST(Supervisor, AScriptWhoseOwnerIsGoneHasVanished) {
  Told told(limits());
  told.sample(1min);
  EXPECT_EQ(told.ends(Vanished{"the connection is gone"}, 2min), Phase::settling);
  EXPECT_EQ(told.silent(2min + 2s), Phase::ending) << "what may be left of it is stopped";
  EXPECT_EQ(kind_of(told.supervisor().outcome()), "vanished");
}

TEST(Supervisor, AScriptThatEndsShortOfItsStepsLeavesTheRestToWhatItStarted) {
  Limits known = limits();
  known.total_known = true;
  Told told(known);
  told.sample(1min);
  EXPECT_EQ(told.ends(Exited{0}, 2min), Phase::lingering);
  EXPECT_TRUE(told.supervisor().is_listening());
  told.sample(3min);
  EXPECT_EQ(told.silent(18min - 1ms), Phase::lingering);
  Told stuck = told;
  EXPECT_EQ(stuck.silent(18min), Phase::ending) << "the launcher is gone: nobody is asked";
  EXPECT_EQ(stuck.outcome(), "hung during training: silent 15m, limit 15m");
  EXPECT_EQ(told.empty(17min), Phase::settling);
  EXPECT_EQ(told.empty(17min), Phase::done);
  EXPECT_EQ(told.outcome(), "exited 0");
  EXPECT_EQ(told.supervisor().script_time(), Duration(17min));
}

TEST(Supervisor, HowManyStepsThereWillBeTheLogMaySay) {
  Told told(limits());
  told.hear({.sample = true, .total_known = true, .stop = {}}, 1min);
  EXPECT_EQ(told.ends(Exited{0}, 2min), Phase::lingering);
}

TEST(Supervisor, NobodyIsWaitedForWithoutNeed) {
  Limits known = limits();
  known.total_known = true;
  Told failed(known);
  EXPECT_EQ(failed.ends(Exited{1}, 2min), Phase::settling);
  Told complete(known);
  complete.hear({.sample = true, .complete = true, .stop = {}}, 1min);
  EXPECT_EQ(complete.ends(Exited{0}, 2min), Phase::settling);
  EXPECT_EQ(Told(limits()).ends(Exited{0}, 2min), Phase::settling) << "nobody knows how many steps there are";
  known.wait_for_tree = false;
  EXPECT_EQ(Told(known).ends(Exited{0}, 2min), Phase::settling);
}

TEST(Supervisor, StartUpCountsFromTheScriptNotFromItsSetup) {
  Told told(limits(), SetupStep::first);
  EXPECT_EQ(told.silent(40min), Phase::setup) << "only the time limit holds for the setup";
  told.supervisor().start_script(41min);
  EXPECT_EQ(told.silent(71min - 1ms), Phase::script);
  EXPECT_EQ(told.silent(71min), Phase::asking);
}

TEST(Supervisor, ASetupThatEndsHasStartedNothing) {
  Told failed(limits(), SetupStep::first);
  EXPECT_EQ(failed.ends(Exited{1}, 1s), Phase::ending);
  EXPECT_EQ(failed.outcome(), "not started: setup exited 1");
  Told slow(limits(), SetupStep::first);
  EXPECT_EQ(slow.silent(2h), Phase::asking);
  EXPECT_EQ(slow.outcome(), "not started: setup timed out after 2h");
  Told interrupted(limits(), SetupStep::first);
  interrupted.step({.at = 1s, .interrupted = Interrupted{SIGINT}});
  EXPECT_EQ(kind_of(interrupted.supervisor().outcome()), "interrupted");
}

// --- faults ---

Pulse hit_by(Fault fault) {
  Pulse pulse;
  pulse.sample = true;
  pulse.fault = fault;
  return pulse;
}

Fault of_rank_1() {
  Fault fault;
  fault.rank = 1;
  return fault;
}

// A launch of which rank 1 was killed at second 100.
Told struck() {
  Told told(limits());
  told.supervisor().hear(hit_by(of_rank_1()), 100s);
  told.supervisor().strike(1, 100s);
  return told;
}

TEST(Supervisor, AFaultIsDueOnce) {
  Told told(limits());
  EXPECT_EQ(told.supervisor().due(), nullptr);
  told.supervisor().hear(hit_by({}), 100s);
  ASSERT_NE(told.supervisor().due(), nullptr);
  told.supervisor().strike(5, 100s);
  EXPECT_EQ(told.supervisor().due(), nullptr);
  EXPECT_EQ(told.silent(100s), Phase::killing);
  EXPECT_EQ(told.empty(101s), Phase::done);
}

TEST(Supervisor, WithoutARankSilenceOfTheGraceIsTheEnd) {
  Told told = struck();
  EXPECT_EQ(told.silent(129s), Phase::script);
  EXPECT_EQ(told.silent(130s), Phase::asking);
  EXPECT_EQ(told.ends(Exited{3}, 131s), Phase::ending);
  EXPECT_EQ(told.empty(132s), Phase::done);
  EXPECT_EQ(told.outcome(), "exited 3");
}

TEST(Supervisor, WithoutARankSamplesOfThePipeAreNoLife) {
  Told told = struck();
  EXPECT_EQ(told.sample(101s), Phase::script);
  EXPECT_EQ(told.sample(101999ms), Phase::script);
  EXPECT_EQ(told.silent(130s), Phase::asking);
}

TEST(Supervisor, WithoutARankWhatGoesOnLives) {
  Told by_sample = struck();
  by_sample.sample(102s);
  EXPECT_EQ(by_sample.silent(200s), Phase::script);
  Told by_restart = struck();
  by_restart.hear({.sample = true, .restarted = true, .stop = {}}, 101s);
  EXPECT_EQ(by_restart.silent(200s), Phase::script);
  Told by_end = struck();
  by_end.hear({.sample = true, .complete = true, .stop = {}}, 101s);
  EXPECT_EQ(by_end.silent(200s), Phase::script);
}

TEST(Supervisor, WithoutARankTheScriptMayEndByItself) {
  Told told = struck();
  EXPECT_EQ(told.ends(Exited{1}, 110s), Phase::settling);
  EXPECT_EQ(told.outcome(), "exited 1");
}

TEST(Supervisor, WhatLingersIsHitToo) {
  Limits known = limits();
  known.total_known = true;
  Told told(known);
  EXPECT_EQ(told.ends(Exited{0}, 10s), Phase::lingering);
  told.supervisor().hear(hit_by({}), 20s);
  told.supervisor().strike(2, 20s);
  EXPECT_EQ(told.silent(20s), Phase::killing);
}

TEST(Supervisor, APauseIsNoSilence) {
  Told told(limits());
  told.sample(10s, 3);
  Fault pause;
  pause.action = FaultAction::pause;
  pause.pause = 10min;
  told.supervisor().hear(hit_by(pause), 20s);
  told.supervisor().strike(1, 20s);
  EXPECT_EQ(told.silent(20s + 15min), Phase::script);
  EXPECT_EQ(told.silent(20s + 25min), Phase::asking);
}

}  // namespace
}  // namespace gate::launch::supervisor_test
