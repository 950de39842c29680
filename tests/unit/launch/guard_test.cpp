// Whichever of the two processes is killed, nothing of the script is left.
#include "gate/launch/guard.h"

#include <sys/prctl.h>

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
  Guard() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

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

  std::optional<Process> process_in(const std::string& file) const {
    pid_t pid = 0;
    std::ifstream(folder_ / file) >> pid;
    EXPECT_GT(pid, 0) << file;
    return read_process(pid);
  }

  void expect_gone() const {
    EXPECT_FALSE(process_in("child").has_value());
    EXPECT_FALSE(process_in("daemon").has_value());
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

TEST_F(Guard, KilledWorkerLeavesNothing) {
  script(stubborn);
  job_.on_output = [](std::string_view text) {
    if (text.find("up") != std::string_view::npos) ::raise(SIGKILL);
    return Pulse{};
  };
  EXPECT_EQ(exit_code_of(start([this] { return LocalRunner().run(job_) ? 0 : 1; })), 125);
  expect_gone();
}

TEST_F(Guard, KilledGuardLeavesNothingAndTheWorkerFinishes) {
  script(stubborn);
  job_.limits.grace = Duration(0);
  job_.interrupted = [] { return guard_is_gone() ? std::optional(SIGTERM) : std::nullopt; };
  job_.on_output = [](std::string_view text) {
    if (text.find("up") != std::string_view::npos) ::kill(::getppid(), SIGKILL);
    return Pulse{};
  };
  const pid_t pid = start([this] {
    std::signal(SIGTERM, [](int) {});
    const auto ending = LocalRunner().run(job_);
    return ending && to_string(ending->outcome) == "interrupted by SIGTERM" ? 42 : 1;
  });
  EXPECT_EQ(exit_code_of(pid), 128 + SIGKILL);
  EXPECT_EQ(exit_code_of(-1), 42);  // the worker, which this process has adopted
  expect_gone();
}

}  // namespace
}  // namespace gate::launch::guard_test
