// What stops a script, and that it then stops, whatever it does against it.
#include <gmock/gmock.h>
#include <sys/prctl.h>

#include <csignal>
#include <thread>

#include "stage.h"

namespace gate::launch::stopping_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Stopping : public Stage {
 protected:
  Stopping() { patience_ = {Duration(0), Duration(100), ample}; }

  void interrupt_once_stopped() {
    listener_.interrupted = [this]() -> std::optional<Interrupted> {
      for (const ProcEntry& process : all_processes())
        if (process.state == 'T' && carries_cookie(process.pid, command_.cookie)) return Interrupted{SIGTERM};
      return {};
    };
  }
};

const Pulse stop{false, false, false, false, StoppedEarly{"lm_loss step 3"}};
const Pulse steps{true, false, false, false, {}, 3};

TEST_F(Stopping, Timeout) {
  script("sleep 1000\n");
  limits_.timeout = Duration(200);
  EXPECT_EQ(outcome(), "timed out after 200ms");
}

TEST_F(Stopping, TimeoutIsTheOnlyLimitWithoutSteps) {
  script("sleep 1000\n");
  limits_.has_steps = false;
  limits_.timeout = Duration(400);
  limits_.startup = limits_.hang = Duration(1);
  EXPECT_EQ(outcome(), "timed out after 400ms");
}

TEST_F(Stopping, SilentStartup) {
  script("sleep 1000\n");
  limits_.startup = Duration(200);
  EXPECT_THAT(outcome(), StartsWith("hung during startup: "));
}

TEST_F(Stopping, SilenceInTraining) {
  script("echo step 1; echo step 2; echo step 3; sleep 1000\n");
  answer("step", steps);
  limits_.hang = Duration(200);
  EXPECT_THAT(outcome(), StartsWith("hung during training: "));
}

TEST_F(Stopping, ChatterThatIsNeverReadToItsEndIsSilenceToo) {
  script("yes\n");
  limits_.startup = Duration(300);
  listener_.on_output = [](std::string_view) {
    std::this_thread::sleep_for(Duration(1));  // a reader slower than the writer
    return Pulse{};
  };
  EXPECT_THAT(outcome(), StartsWith("hung during startup: "));
}

TEST_F(Stopping, DeadlineOfTheWholeRun) {
  script("sleep 1000\n");
  limits_.rest = Duration(200);
  limits_.deadline = std::chrono::hours(1);
  EXPECT_EQ(outcome(), "stopped: the run's deadline of 1h was up");
}

TEST_F(Stopping, WhatAStuckScriptDidIsKept) {
  script("sleep 1000.5 & wait\n");
  limits_.startup = Duration(200);
  const Ending ending = run();
  EXPECT_THAT(ending.evidence, testing::Contains(HasSubstr("bash train.sh: S, parent ")));
  EXPECT_THAT(ending.evidence, testing::Contains(HasSubstr(" sleep 1000.5: S, parent ")));
  EXPECT_THAT(ending.evidence, testing::Contains(HasSubstr("thread ")));
}

TEST_F(Stopping, EvidenceIsOfStuckScriptsOnly) {
  script("echo bad step; sleep 1000\n");
  answer("bad step", stop);
  EXPECT_THAT(run().evidence, IsEmpty());
}

TEST_F(Stopping, ByAPulse) {
  script("echo bad step; sleep 1000\n");
  answer("bad step", stop);
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
}

TEST_F(Stopping, ByAPerson) {
  script("echo up; sleep 1000\n");
  listener_.interrupted = [this] {
    return has_printed("up") ? std::optional(Interrupted{SIGINT}) : std::nullopt;
  };
  EXPECT_EQ(outcome(), "interrupted by SIGINT");
}

TEST_F(Stopping, ByAPersonDuringSetup) {
  script("echo script\n");
  command_.setup = "echo up; sleep 1000";
  listener_.interrupted = [this] {
    return has_printed("up") ? std::optional(Interrupted{SIGTERM}) : std::nullopt;
  };
  EXPECT_EQ(outcome(), "interrupted by SIGTERM");
  EXPECT_EQ(output_, "up\n");
}

TEST_F(Stopping, LauncherFirstSoThatItsTrapCanRestore) {
  script(
      "mkdir kept; mv kept moved\n"
      "trap 'mv moved kept; kill -0 $rank && echo rank lives; exit 1' TERM\n"
      "sleep 1000 & rank=$!\n"
      "echo up; wait\n");
  answer("up", stop);
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "kept"));
  EXPECT_THAT(output_, HasSubstr("rank lives"));
}

// The script starts it again at once, while gate still looks for what the killed one has forked.
TEST_F(Stopping, ARankThatIsStartedAgainIsNotHitAnew) {
  script(
      "ranks() { RANK=1 bash -c 'echo >> ups; exec sleep 1000'; for i in {1..20}; do RANK=1 sleep 0 || echo "
      "hit anew; done; }\n"
      "touch ups; for i in {1..40}; do ranks 2> /dev/null & done; until [ $(wc -l < ups) = 40 ]; do :; done; "
      "echo up; wait\n");
  Pulse fault;
  fault.fault = Fault{.rank = 1};
  answer("up", fault);
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome).english(), "exited 0");
  EXPECT_EQ(ending.inflicted->processes, 40);
  EXPECT_EQ(output_, "up\n");
}

TEST_F(Stopping, TrapBehindAForegroundChildRunsWhenTheTreeIsAskedToEnd) {
  script(
      "trap 'echo restored; exit 1' TERM\n"
      "echo up; sleep 1000\n");
  answer("up", stop);
  limits_.grace = Duration(100);
  patience_.term = ample;
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
  EXPECT_THAT(output_, HasSubstr("restored"));
}

TEST_F(Stopping, LauncherIsAskedOnce) {
  script("trap 'echo told' TERM; echo up; while :; do sleep 0.01; done\n");
  answer("up", stop);
  limits_.grace = Duration(100);
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
  EXPECT_EQ(output_.find("told"), output_.rfind("told")) << output_;
}

TEST_F(Stopping, OutputOfATrapBeyondThePipeDoesNotBlockIt) {
  script(
      "trap 'head -c 3000000 /dev/zero; exit 1' TERM\n"
      "echo up; sleep 1000 & wait\n");
  answer("up", stop);
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
  EXPECT_GE(output_.size(), 3000000U);
}

TEST_F(Stopping, IgnoredTerm) {
  script("trap '' TERM; echo up; while :; do sleep 1000; done\n");
  answer("up", stop);
  limits_.grace = Duration(100);
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
}

TEST_F(Stopping, IgnoredTermInADaemonThatForkedTwice) {
  script("(setsid bash -c 'trap \"\" TERM; echo up; while :; do sleep 1000; done' &)\nwait; sleep 1000\n");
  answer("up", stop);
  const Ending ending = run();
  EXPECT_EQ(text(ending.outcome), "stopped early: lm_loss step 3");
  EXPECT_THAT(ending.leftovers, IsEmpty());
}

TEST_F(Stopping, LauncherThatStoppedItselfWakesUpToEnd) {
  script("trap 'echo woken; exit 1' TERM; kill -STOP $$; :\n");
  interrupt_once_stopped();
  EXPECT_EQ(outcome(), "interrupted by SIGTERM");
  EXPECT_EQ(output_, "woken\n");
}

TEST_F(Stopping, ProcessThatStoppedItselfWakesUpToEnd) {
  script("setsid bash -c 'trap \"echo woken; exit 1\" TERM; kill -STOP $$; :' & sleep 1000\n");
  interrupt_once_stopped();
  patience_.term = ample;
  EXPECT_EQ(outcome(), "interrupted by SIGTERM");
  EXPECT_EQ(output_, "woken\n");
}

TEST_F(Stopping, ProcessThatForksUntilItIsStopped) {
  script(
      "trap '' TERM\n"
      "spread() { while :; do sleep 0.05 & wait $!; done; }\n"
      "for i in 1 2 3 4 5; do spread & setsid bash -c 'trap \"\" TERM; while :; do sleep 0.05 & wait; done' "
      "& done\n"
      "echo up; wait\n");
  answer("up", stop);
  limits_.grace = Duration(50);
  EXPECT_EQ(outcome(), "stopped early: lm_loss step 3");
}

TEST_F(Stopping, SecondSignalWaitsForNoGrace) {
  script(
      "trap 'echo told; until [ -e go ]; do sleep 0.01; done; echo took its time; exit 1' TERM\n"
      "echo up; sleep 1000 & wait\n");
  patience_.term = ample;
  listener_.interrupted = [this] {
    return has_printed("up") ? std::optional(Interrupted{SIGINT}) : std::nullopt;
  };
  int asked_in_vain = 0;
  listener_.second_signal = [&] {
    if (has_printed("told") && ++asked_in_vain == 20) std::ofstream(folder_ / "go") << "go";
    return has_printed("told");
  };
  EXPECT_EQ(outcome(), "interrupted by SIGINT");
  EXPECT_THAT(output_, Not(HasSubstr("took its time")));
}

TEST_F(Stopping, LauncherIsToldThatGateWasKilled) {
  script("echo $$ > pid; exec sleep 1000\n");  // no process of its own that could outlive it
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t killed = ::fork();
  if (killed == 0) ::_exit(run_command(command_, limits_, listener_) ? 0 : 1);
  pid_t launcher = 0;
  while (launcher == 0) {
    std::string line;
    std::ifstream file(folder_ / "pid");
    if (std::getline(file, line) && !file.eof()) launcher = std::stoi(line);
  }
  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  int status = 0;
  EXPECT_EQ(::waitpid(launcher, &status, 0), launcher);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

TEST_F(Stopping, ProcessThatKillsItsOwnGroup) {
  script("setsid sleep 1000 & kill -KILL 0\n");
  EXPECT_EQ(outcome(), "killed by SIGKILL");
}

}  // namespace
}  // namespace gate::launch::stopping_test
