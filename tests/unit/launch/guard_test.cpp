// Whichever of the three processes are killed, nothing of the script is left.
#include "gate/launch/guard.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>

#include "stage.h"

namespace gate::launch::guard_test {
namespace {

// A tree that TERM does not end: the launcher, a child, and a daemon without any mark of its own.
const std::string stubborn =
    "trap '' TERM\n"
    "sleep 1000 & echo $! > child\n"
    "(setsid env -i bash -c 'trap \"\" TERM; echo $$ > daemon; sleep 1000' &)\n"
    "until [ -s daemon ]; do :; done\n"
    "echo up; sleep 1000\n";

class Guard : public Stage {
 protected:
  // Whoever was killed by an earlier test is none of these.
  Guard() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }

  // Start the two processes; the worker ends with what `work` returns.
  static pid_t start(const std::function<int()>& work) {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    if (const auto code = guard()) ::_exit(*code);
    ::_exit(work());
  }

  static int exit_code_of(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  pid_t pid_in(const std::string& file) const {
    pid_t pid = 0;
    std::ifstream(folder_ / file) >> pid;
    EXPECT_GT(pid, 0) << file;
    return pid;
  }

  void expect_gone() const {
    EXPECT_FALSE(read_process(pid_in("child")).has_value());
    EXPECT_FALSE(read_process(pid_in("daemon")).has_value());
  }
};

TEST_F(Guard, PassesTheExitCodeOn) {
  EXPECT_EQ(exit_code_of(start([] { return 4; })), 4);
}

TEST_F(Guard, PassesSignalsOn) {
  if (THREADS_SANITIZED) GTEST_SKIP() << "the thread sanitizer holds signals back in a forked process";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t pid = start([&] {
    static volatile std::sig_atomic_t caught = 0;
    std::signal(SIGTERM, [](int signal) { caught = signal; });
    EXPECT_EQ(::write(ready[1], "r", 1), 1);
    while (caught == 0) ::usleep(1000);
    return static_cast<int>(caught);
  });
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::kill(pid, SIGTERM);
  EXPECT_EQ(exit_code_of(pid), SIGTERM);
}

// As many processes as a user of its own may have; RLIMIT_NPROC binds everybody but root.
TEST_F(Guard, LaunchesNothingWhereItCannotSplit) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can be a user that has no process yet";
  for (const rlim_t most : {1, 2}) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const rlimit limit{most, most};
      const uid_t nobody_else = 1'000'000 + static_cast<uid_t>(::getpid());
      if (::setrlimit(RLIMIT_NPROC, &limit) != 0 || ::setuid(nobody_else) != 0) ::_exit(3);
      if (const auto code = guard()) ::_exit(*code);
      ::_exit(4);  // a script would begin
    }
    EXPECT_EQ(exit_code_of(pid), 125) << most;
  }
}

constexpr int by_kill = 128 + SIGKILL, finished_worker = 42, stopped = 125;

struct Killed {
  std::string who;
  bool reaper, guard, worker;
  std::vector<int> codes;  // of the reaper; where it was killed of the guard; where both were of the worker
};

class KilledGate : public Guard, public testing::WithParamInterface<Killed> {
 protected:
  // To be called in the worker.
  static void kill_some(const Killed& some) {
    const pid_t guard = ::getppid();
    const auto facts = read_process(guard);
    if (some.reaper && facts) ::kill(facts->parent, SIGKILL);
    if (some.guard) ::kill(guard, SIGKILL);
    if (some.worker) ::raise(SIGKILL);
  }

  // A process whose parent was killed is this one's child.
  std::vector<int> exit_codes_from(pid_t reaper) const {
    std::vector<int> codes{exit_code_of(reaper)};
    if (GetParam().reaper) codes.push_back(exit_code_of(pid_in("guard")));
    if (GetParam().reaper && GetParam().guard) codes.push_back(exit_code_of(pid_in("worker")));
    return codes;
  }
};

TEST_P(KilledGate, LeavesNothing) {
  script(stubborn);
  limits_.grace = Duration(0);
  listener_.interrupted = [] { return guard_is_gone() ? std::optional(Interrupted{SIGTERM}) : std::nullopt; };
  listener_.on_output = [](std::string_view text) {
    if (text.find("up") != std::string_view::npos) kill_some(GetParam());
    return Pulse{};
  };
  const pid_t reaper = start([this] {
    std::signal(SIGTERM, [](int) {});
    std::ofstream(folder_ / "guard") << ::getppid();
    std::ofstream(folder_ / "worker") << ::getpid();
    const auto ending = run_command(command_, limits_, listener_);
    return ending && text(ending->outcome) == "interrupted by SIGTERM" ? finished_worker : 1;
  });
  EXPECT_EQ(exit_codes_from(reaper), GetParam().codes);
  expect_gone();
}

INSTANTIATE_TEST_SUITE_P(
    OneOrTwo, KilledGate,
    testing::Values(Killed{"Worker", false, false, true, {stopped}},
                    Killed{"Guard", false, true, false, {finished_worker}},
                    Killed{"Reaper", true, false, false, {by_kill, finished_worker}},
                    Killed{"GuardAndWorker", false, true, true, {stopped}},
                    Killed{"ReaperAndWorker", true, false, true, {by_kill, stopped}},
                    Killed{"ReaperAndGuard", true, true, false, {by_kill, by_kill, finished_worker}}),
    [](const auto& killed) { return killed.param.who; });

// Who kills by name, or by words of the command line, spares the reaper.
TEST_F(Guard, TheReaperHasANameOfItsOwn) {
  int facts[2], goal[2];
  ASSERT_EQ(::pipe(facts), 0);
  ASSERT_EQ(::pipe(goal), 0);
  const pid_t pid = start([&] {
    char byte = 0;
    EXPECT_EQ(::write(facts[1], "r", 1), 1);
    return ::read(goal[0], &byte, 1) == 1 ? 0 : 1;
  });
  char byte = 0;
  ASSERT_EQ(::read(facts[0], &byte, 1), 1);
  const std::string place = "/proc/" + std::to_string(pid);
  std::string words, name;
  while (words.find("reaper") != 0) std::getline(std::ifstream(place + "/cmdline"), words);
  while (name != "reaper") std::getline(std::ifstream(place + "/comm"), name);
  EXPECT_EQ(words.find("launch_test"), std::string::npos);
  EXPECT_EQ(::write(goal[1], "g", 1), 1);
  EXPECT_EQ(exit_code_of(pid), 0);
}

}  // namespace
}  // namespace gate::launch::guard_test

// The reaper is this program anew.
int main(int argc, char** argv) {
  if (const auto code = gate::launch::reap(argc, argv)) return *code;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
