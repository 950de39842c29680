#include "gate/model/runs/outcome.h"

#include <gmock/gmock.h>

#include <csignal>

namespace gate::outcome_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(Outcome, ForPeople) {
  EXPECT_EQ(text(Outcome(Exited{0})), "exited 0");
  EXPECT_EQ(text(Outcome(Killed{SIGSEGV})), "killed by SIGSEGV");
  EXPECT_EQ(text(Outcome(TimedOut{seconds(1)})), "timed out after 1s");
  EXPECT_EQ(text(Outcome(Hung{minutes(15) + seconds(3), minutes(15), "training"})),
            "hung during training: silent 15m03s, limit 15m");
  EXPECT_EQ(text(Outcome(StoppedEarly{"lm_loss step 3"})), "stopped early: lm_loss step 3");
  EXPECT_EQ(text(Outcome(Interrupted{SIGTERM})), "interrupted by SIGTERM");
  EXPECT_EQ(text(Outcome(Vanished{"host lost"})), "vanished: host lost");
  EXPECT_EQ(text(Outcome(NotStarted{"no bash"})), "not started: no bash");
  EXPECT_EQ(text(Outcome(ScriptChanged{"a.sh: run again"})), "not started: a.sh: run again");
}

TEST(Outcome, WordsOfFiles) {
  EXPECT_EQ(kind_of(Exited{1}), "exited");
  EXPECT_EQ(kind_of(Killed{9}), "killed");
  EXPECT_EQ(kind_of(TimedOut{}), "timed_out");
  EXPECT_EQ(kind_of(Hung{}), "hung");
  EXPECT_EQ(kind_of(StoppedEarly{}), "stopped_early");
  EXPECT_EQ(kind_of(Interrupted{}), "interrupted");
  EXPECT_EQ(kind_of(Vanished{}), "vanished");
  EXPECT_EQ(kind_of(PastDeadline{}), "past_deadline");
  EXPECT_EQ(kind_of(GateFailed{}), "gate_failed");
  EXPECT_EQ(kind_of(NotStarted{}), "not_started");
  EXPECT_EQ(kind_of(ScriptChanged{}), "script_changed");
}

TEST(Outcome, HoldsWhyItEndedSo) {
  EXPECT_EQ(why_of(Vanished{"no answer"}), Sentence("no answer"));
  EXPECT_EQ(why_of(StoppedEarly{"lm_loss is nan"}), Sentence("lm_loss is nan"));
  EXPECT_TRUE(why_of(Exited{1}).empty());
}

TEST(Outcome, OnlyExitZeroEndedWell) {
  EXPECT_TRUE(ended_well(Exited{0}));
  for (const Outcome& outcome :
       {Outcome(Exited{1}), Outcome(Killed{15}), Outcome(TimedOut{}), Outcome(Hung{}),
        Outcome(StoppedEarly{}), Outcome(Interrupted{}), Outcome(Vanished{}), Outcome(PastDeadline{}),
        Outcome(GateFailed{}), Outcome(NotStarted{}), Outcome(ScriptChanged{})})
    EXPECT_FALSE(ended_well(outcome)) << text(outcome).english();
}

TEST(Outcome, WhatWasNotStartedWasNotLaunched) {
  for (const Outcome& outcome : {Outcome(NotStarted{}), Outcome(ScriptChanged{})})
    EXPECT_FALSE(was_launched(outcome)) << kind_of(outcome);
  for (const Outcome& outcome :
       {Outcome(Exited{0}), Outcome(Killed{9}), Outcome(Vanished{}), Outcome(PastDeadline{})})
    EXPECT_TRUE(was_launched(outcome)) << kind_of(outcome);
}

TEST(Signal, HasAName) {
  EXPECT_EQ(signal_name(SIGTERM), "SIGTERM");
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(signal_name(99), "signal 99");
}

}  // namespace
}  // namespace gate::outcome_test
