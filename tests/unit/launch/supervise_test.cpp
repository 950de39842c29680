// A process that is made up, seen to its end: what it prints and when, in literals; nobody sleeps.
#include "gate/launch/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gate::launch::supervise_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Duration never = std::chrono::hours(24 * 365);

// Time passes while it is waited for, and only then.
class MadeUpProcess : public Process {
 public:
  std::vector<std::pair<Duration, std::string>> prints;  // and when, rising
  Duration starts{};                                     // the script, behind its setup
  Duration ends = never;                                 // the launcher
  Duration empties = never;                              // and all that came of it
  Outcome outcome = Exited{0};
  std::vector<std::string> names{"pid 71 sleep 100"};
  // How long after each force the launcher and the rest are gone; none: it does not help.
  std::map<Force, Duration> obeys{{Force::ask, 0ms}, {Force::end, 0ms}, {Force::kill, 0ms}};

  std::size_t hit = 1;  // by each signal
  Duration now{};
  std::vector<std::string> done;  // what was done to it, and when
  int looks = 0;                  // at the tree
  Duration shows_switches = never, shows_python{}, shows_packages{};
  std::vector<Duration> looked_at;  // what it runs on
  Status can_start;

  Status start() override { return can_start; }

  Woken wait(Duration limit) override {
    const Duration until = now + limit;
    const Duration printed = next_ < prints.size() ? prints[next_].first : never;
    const Duration ended = has_ended() ? never : ends;
    now = std::max(now, std::min({until, printed, ended}));
    return printed <= now && !has_ended() ? Woken::by_output : Woken::otherwise;
  }

  void read(const std::function<More(std::string_view)>& take) override {
    while (next_ < prints.size() && prints[next_].first <= now)
      if (take(prints[next_++].second) == More::enough) return;
  }

  bool has_started() override { return now >= starts; }
  std::optional<Outcome> ended() override { return has_ended() ? std::optional(outcome) : std::nullopt; }
  bool is_empty() override { return ++looks, has_ended() && now >= empties; }

  void stop(Force force) override {
    constexpr std::array words{"ask", "end", "kill"};
    done.push_back(std::string(words[static_cast<std::size_t>(force)]) + " " + std::to_string(now.count()));
    const auto it = obeys.find(force);
    if (it == obeys.end()) return;
    if (!has_ended()) ends = now + it->second;
    if (force != Force::ask) empties = std::min(empties, now + it->second);
  }

  std::size_t signal(Signal signal, std::optional<int> rank) override {
    constexpr std::array words{"KILL", "TERM", "STOP", "CONT"};
    done.push_back(std::string(words[static_cast<std::size_t>(signal)]) +
                   (rank ? " of " + std::to_string(*rank) : "") + " " + std::to_string(now.count()));
    return hit;
  }

  std::vector<std::string> left() override { return names; }
  std::vector<std::string> evidence() override { return {"what it does at " + to_string(now)}; }
  Fingerprint fingerprint() override {
    looked_at.push_back(now);
    Fingerprint seen;
    if (now >= shows_switches) seen.switches = {{"--npu-deterministic", to_string(now)}};
    if (now >= shows_python) seen.python = "3.11.7";
    if (now >= shows_packages) seen.packages = {{"torch", "2.1.0"}};
    return seen;
  }
  Duration look_interval() const override { return 100ms; }
  Duration elapsed() override { return now; }
  SetupStep setup() const override { return first; }
  Patience patience() const override { return waits; }
  void complete(Ending& ending) override { ending.remarks.emplace_back("that is all"); }

  SetupStep first = SetupStep::none;
  Patience waits{.settle = 2s, .term = 3s, .kill = 10s};

 private:
  bool has_ended() const { return now >= ends; }

  std::size_t next_ = 0;  // of what is printed
};

class Supervised : public testing::Test {
 protected:
  Ending run() {
    const auto ending = supervise(process, limits, listener);
    EXPECT_TRUE(ending) << ending.error().message;
    return ending ? *ending : Ending{};
  }

  MadeUpProcess process;
  Limits limits;
  std::string heard;
  Pulse pulse;  // that all output means
  Listener listener{.on_output =
                        [this](std::string_view output) {
                          heard += output;
                          return pulse;
                        },
                    .on_poll = nullptr,
                    .interrupted = nullptr,
                    .second_signal = nullptr};
};

TEST_F(Supervised, AllThatAScriptPrintsIsHandedOn) {
  process.prints = {{1s, "step 1\n"}, {2s, "step 2\n"}, {3s, "bye\n"}};
  process.ends = process.empties = 3s;
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "exited 0");
  EXPECT_EQ(heard, "step 1\nstep 2\nbye\n");
  EXPECT_EQ(ending.script_time, Duration(3s));
  EXPECT_THAT(process.done, IsEmpty());
  EXPECT_THAT(ending.leftovers, IsEmpty());
  EXPECT_THAT(ending.survivors, IsEmpty());
  EXPECT_THAT(ending.remarks, ElementsAre("that is all"));
}

TEST_F(Supervised, WhatIsPrintedWhileItSettlesIsHandedOnToo) {
  process.prints = {{1s, "step 1\n"}, {1500ms, "from tee\n"}};
  process.ends = 1s;
  process.empties = 1600ms;
  run();
  EXPECT_EQ(heard, "step 1\nfrom tee\n");
}

TEST_F(Supervised, WhatCannotStartIsAnError) {
  process.can_start = fail("no more processes");
  const auto ending = supervise(process, limits, listener);
  ASSERT_FALSE(ending);
  EXPECT_EQ(ending.error().message, "no more processes");
}

TEST_F(Supervised, WhatItRunsOnIsLookedAtOnceAtTheFirstSample) {
  pulse.sample = true;
  process.prints = {{1s, "step 1\n"}, {2s, "step 2\n"}, {3s, "step 3\n"}};
  process.ends = process.empties = 4s;
  std::vector<Fingerprint> told;
  listener.on_fingerprint = [&](const Fingerprint& seen) {
    told.push_back(seen);
    return Pulse{};
  };
  EXPECT_EQ(run().fingerprint.packages.at("torch"), "2.1.0");
  EXPECT_THAT(process.looked_at, ElementsAre(Duration(1s)));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().python, "3.11.7");
}

// What trains may have ended when the script goes on.
TEST_F(Supervised, OfSwitchesAloneThoseAtTheFirstSampleCount) {
  pulse.sample = true;
  for (int at = 1; at <= 9; ++at) process.prints.emplace_back(std::chrono::seconds(at), "step\n");
  process.shows_switches = 2s;
  process.shows_python = process.shows_packages = never;
  process.ends = process.empties = 10s;
  EXPECT_EQ(run().fingerprint.switches->at("--npu-deterministic"), to_string(Duration(2s)));
}

TEST_F(Supervised, WhatPrintsNoSampleIsNotLookedAt) {
  process.prints = {{1s, "hello\n"}};
  process.ends = process.empties = 4s;
  run();
  EXPECT_THAT(process.looked_at, IsEmpty());
}

TEST_F(Supervised, WhatItRunsOnIsLookedForEverMoreRarely) {
  pulse.sample = true;
  for (int at = 1; at <= 600; ++at) process.prints.emplace_back(std::chrono::seconds(at), "step\n");
  process.shows_python = 5s;
  process.shows_packages = never;
  process.ends = process.empties = 601s;
  bool was_told = false;
  listener.on_fingerprint = [&](const Fingerprint&) {
    was_told = true;
    return Pulse{};
  };
  EXPECT_EQ(run().fingerprint.python, "3.11.7");
  EXPECT_THAT(process.looked_at,
              ElementsAre(Duration(1s), Duration(2s), Duration(4s), Duration(8s), Duration(16s),
                          Duration(32s), Duration(64s), Duration(128s), Duration(256s)));
  EXPECT_FALSE(was_told) << "its packages were not seen";
}

TEST_F(Supervised, WhatItRunsOnMayEndAScriptThatPrintsNothingMore) {
  pulse.sample = true;
  process.prints = {{1s, "step 1\n"}};
  process.shows_python = process.shows_packages = never;
  process.shows_switches = 0s;
  listener.on_fingerprint = [&](const Fingerprint&) {
    Pulse stops;
    stops.stop = StoppedEarly{"slow"};
    return stops;
  };
  EXPECT_TRUE(std::holds_alternative<StoppedEarly>(run().outcome));
}

TEST_F(Supervised, AHungScriptTellsWhatItDoesBeforeItIsStopped) {
  limits.startup = 5s;
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "hung during startup: silent 5.0s, limit 5s");
  EXPECT_THAT(ending.evidence, ElementsAre("what it does at 5s"));
  EXPECT_THAT(process.done, ElementsAre("ask 5000", "end 5000"));
  EXPECT_THAT(ending.survivors, IsEmpty());
  EXPECT_EQ(ending.script_time, Duration{}) << "it did not end by itself";
}

TEST_F(Supervised, ALauncherThatDoesNotHearIsGivenItsGrace) {
  limits.timeout = 10s;
  limits.grace = 30s;
  process.obeys.erase(Force::ask);
  const Ending ending = run();
  ASSERT_EQ(process.done.size(), 2U);
  EXPECT_EQ(process.done[0], "ask 10000");
  EXPECT_TRUE(process.done[1].starts_with("end 400")) << process.done[1];
  EXPECT_THAT(ending.evidence, ElementsAre("what it does at 10s"));
}

TEST_F(Supervised, ALauncherThatEndsIsNoticedAtOnce) {
  limits.timeout = 10s;
  process.obeys[Force::ask] = 105ms;
  run();
  EXPECT_THAT(process.done, ElementsAre("ask 10000", "end 10105"));
}

TEST_F(Supervised, WhatNothingEndsIsNamed) {
  limits.timeout = 10s;
  limits.grace = 1s;
  process.obeys.clear();
  const Ending ending = run();
  EXPECT_THAT(ending.survivors, ElementsAre("pid 71 sleep 100"));
  EXPECT_GT(
      std::ranges::count_if(process.done, [](const std::string& one) { return one.starts_with("kill"); }),
      100)
      << "again and again";
  EXPECT_LE(process.now, Duration(10s + 1s + 3s + 10s + 200ms));
}

TEST_F(Supervised, WhatOutlivesTheScriptIsNamedAndStopped) {
  process.ends = 1s;
  const Ending ending = run();
  EXPECT_THAT(ending.leftovers, ElementsAre("pid 71 sleep 100"));
  ASSERT_EQ(process.done.size(), 1U) << "the launcher is gone: nobody asks it";
  EXPECT_TRUE(process.done[0].starts_with("end 30")) << process.done[0];
  EXPECT_EQ(text(ending.outcome), "exited 0");
}

TEST_F(Supervised, WhatCannotBeNamedIsSaid) {
  process.ends = 1s;
  process.names.clear();
  EXPECT_THAT(run().leftovers, ElementsAre("processes that come and go too fast to be named"));
}

TEST_F(Supervised, WhatIsNeverShownIsASurvivorAndNoLeftover) {
  process.ends = 1s;
  process.names.clear();
  process.obeys.clear();
  const Ending ending = run();
  EXPECT_THAT(ending.survivors, ElementsAre("processes that /proc does not show"));
  EXPECT_THAT(ending.leftovers, IsEmpty());
}

TEST_F(Supervised, OutputBehindAStopIsReadAndHasNoSay) {
  process.prints = {
      {1s, "step 1\n"}, {1s, "step 2\n"}, {1500ms, "in "}, {1500ms, "the "}, {1500ms, "trap\n"}};
  process.obeys[Force::ask] = 500ms;
  pulse.stop = StoppedEarly{"lm_loss"};
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "stopped early: lm_loss");
  EXPECT_THAT(heard, testing::EndsWith("in the trap\n"));
}

TEST_F(Supervised, WhatIsWrittenElsewhereIsLookedAtEverySecond) {
  std::vector<std::string> looks;
  listener.on_poll = [&] {
    looks.push_back(to_string(process.now));
    return Pulse{};
  };
  process.starts = 500ms;
  process.first = SetupStep::first;
  process.ends = process.empties = 3s;
  run();
  EXPECT_EQ(looks.size(), 3U);
  EXPECT_EQ(looks.front(), "500ms") << "not during the setup";
}

TEST_F(Supervised, ASampleInTheFirstBreathOfTheScriptCounts) {
  process.first = SetupStep::first;
  process.starts = 1s;
  process.prints = {{1s, "step 1\n"}, {2s, "step 2\n"}};
  pulse.sample = true;
  limits.startup = 60s;
  limits.hang = 10s;
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "hung during training: silent 10.0s, limit 10s");
}

TEST_F(Supervised, ALivelyTreeIsSeldomLookedAt) {
  limits.total_known = true;
  process.ends = 1s;
  process.empties = 61s;
  pulse.sample = true;
  for (int i = 0; i < 600; ++i) process.prints.emplace_back(1s + i * 100ms, "step\n");
  run();
  EXPECT_LE(process.looks, 310) << "five times a second";
  EXPECT_EQ(heard.size(), 600U * 5);
}

TEST_F(Supervised, ASecondSignalWaitsForNothing) {
  process.obeys.erase(Force::ask);
  process.obeys.erase(Force::end);
  listener.interrupted = [this] { return process.now >= 1s ? std::optional(Interrupted{2}) : std::nullopt; };
  listener.second_signal = [this] { return process.now >= 2s; };
  const Ending ending = run();
  EXPECT_EQ(kind_of(ending.outcome), "interrupted");
  EXPECT_LE(process.now, Duration(2200ms));
}

// --- faults ---

class Disturbed : public Supervised {
 protected:
  Disturbed() {
    process.prints = {{1s, "step 1\n"}, {2s, "step 2\n"}, {3s, "step 3\n"}};
    process.ends = process.empties = 60s;
    listener.on_output = [this](std::string_view output) {
      heard += output;
      Pulse meant;
      meant.sample = true;
      if (output == "step 2\n") meant.fault = fault;
      return meant;
    };
  }
  Fault fault{};
};

TEST_F(Disturbed, AKillHitsAllAtOnceAndWaitsForNothing) {
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("kill 2000"));
  EXPECT_EQ(text(ending.outcome), "killed by SIGKILL");
  ASSERT_TRUE(ending.inflicted);
  EXPECT_EQ(ending.inflicted->at, Duration(2s));
  EXPECT_EQ(ending.inflicted->processes, 1U);
  EXPECT_EQ(heard, "step 1\nstep 2\n");
  EXPECT_THAT(ending.evidence, IsEmpty());
}

TEST_F(Disturbed, AKillGoesOnUntilNothingIsLeft) {
  process.obeys[Force::kill] = 20ms;
  run();
  EXPECT_EQ(process.done.front(), "kill 2000");
  EXPECT_GT(process.done.size(), 2U);
  for (const std::string& one : process.done) EXPECT_TRUE(one.starts_with("kill")) << one;
}

TEST_F(Disturbed, ATermIsToTheLauncherWhichMaySaveWhatItHas) {
  fault.action = FaultAction::terminate;
  process.obeys[Force::ask] = 1500ms;
  process.outcome = Exited{7};
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("ask 2000", "end 3500"));
  EXPECT_EQ(text(ending.outcome), "exited 7") << "as it ended by it";
  EXPECT_EQ(heard, "step 1\nstep 2\nstep 3\n") << "what it prints while it ends is read";
}

TEST_F(Disturbed, WhatDoesNotHearATermIsKilledAfterItsGrace) {
  fault.action = FaultAction::terminate;
  limits.grace = 5s;
  process.obeys = {{Force::kill, 0ms}};
  const Ending ending = run();
  EXPECT_EQ(process.done.front(), "ask 2000");
  EXPECT_TRUE(process.done.back().starts_with("kill 10")) << process.done.back();
  EXPECT_EQ(text(ending.outcome), "killed by SIGTERM");
}

TEST_F(Disturbed, ARankIsHitAloneAndTheScriptMayGoOn) {
  fault.rank = 3;
  process.prints.emplace_back(10s, "step 4\n");
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("KILL of 3 2000"));
  EXPECT_EQ(text(ending.outcome), "exited 0");
}

TEST_F(Disturbed, WithoutARankTheRestHasItsGrace) {
  fault.rank = 3;
  fault.action = FaultAction::terminate;
  limits.grace = 5s;
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("TERM of 3 2000", "ask 7000", "end 7000"));
  EXPECT_EQ(text(ending.outcome), "exited 0");
}

TEST_F(Disturbed, ARankThatIsNotThereIsHitOnce) {
  fault.rank = 3;
  process.hit = 0;
  limits.grace = 5s;
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("KILL of 3 2000"));
  ASSERT_TRUE(ending.inflicted);
  EXPECT_EQ(ending.inflicted->processes, 0U);
  EXPECT_EQ(text(ending.outcome), "exited 0");
}

TEST_F(Disturbed, APausedScriptGoesOnAndDoesNotHangMeanwhile) {
  fault.action = FaultAction::pause;
  fault.pause = 20s;
  fault.rank = 1;
  limits.hang = limits.startup = 15s;
  process.prints.back().first = 30s;
  process.ends = process.empties = 40s;
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("STOP of 1 2000", "CONT of 1 22000"));
  EXPECT_EQ(text(ending.outcome), "exited 0");
}

TEST_F(Disturbed, APausedScriptThatIsStoppedGoesOnFirst) {
  fault.action = FaultAction::pause;
  fault.pause = 20s;
  limits.timeout = 10s;
  const Ending ending = run();
  EXPECT_THAT(process.done, ElementsAre("STOP 2000", "CONT 10000", "ask 10000", "end 10000"));
  EXPECT_EQ(text(ending.outcome), "timed out after 10s");
}

TEST_F(Disturbed, WhatHasEndedIsHitByNothing) {
  process.ends = process.empties = 2s;
  const Ending ending = run();
  EXPECT_FALSE(ending.inflicted);
  EXPECT_THAT(process.done, IsEmpty());
  EXPECT_EQ(text(ending.outcome), "exited 0");
}

TEST_F(Disturbed, WhatEarlierStartsTookIsNotLeft) {
  limits.timeout = 10s;
  limits.spent = 4s;
  fault.action = FaultAction::pause;
  fault.pause = 1ms;
  EXPECT_EQ(text(run().outcome), "timed out after 10s");
  EXPECT_EQ(process.done[2], "ask 6000");
}

}  // namespace
}  // namespace gate::launch::supervise_test
