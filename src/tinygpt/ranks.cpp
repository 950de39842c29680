#include "tinygpt/ranks.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "tinygpt/log_lines.h"

namespace tinygpt {
namespace {

// Ask the system to kill this process when the launcher dies; where it cannot, a rank may outlive it.
void die_with([[maybe_unused]] pid_t launcher) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(1);
#endif
}

void print_traceback(int rank, const std::exception& error) {
  write_line(STDERR_FILENO, "Traceback (most recent call last):\n  rank " + std::to_string(rank) + ", pid " +
                                std::to_string(getpid()) + ", in training\nRuntimeError: " + error.what());
}

[[noreturn]] void be_rank(int rank, pid_t launcher, const std::function<int(int)>& work) {
  die_with(launcher);
  try {
    _exit(work(rank));
  } catch (const std::exception& error) {
    print_traceback(rank, error);
    _exit(1);
  }
}

void reap(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// The ranks that run; the pid of one that has ended is 0.
class Children {
 public:
  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() { stop(); }

  void start(int rank, const std::function<int(int)>& work) {
    const pid_t launcher = getpid(), pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot start a rank");
    if (pid == 0) be_rank(rank, launcher, work);
    pids_.push_back(pid);
  }

  // Wait until some rank ends; return it and its wait status.
  std::pair<int, int> wait_for_one() {
    int status = 0;
    pid_t pid = -1;
    while ((pid = waitpid(-1, &status, 0)) < 0)
      if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for the ranks");
    const auto found = std::find(pids_.begin(), pids_.end(), pid);
    *found = 0;
    return {static_cast<int>(found - pids_.begin()), status};
  }

  void stop() {
    for (const pid_t pid : pids_)
      if (pid != 0) kill(pid, SIGKILL);
    for (pid_t& pid : pids_)
      if (pid != 0) reap(std::exchange(pid, 0));
  }

 private:
  std::vector<pid_t> pids_;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
  return "exited with code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

int run_ranks(int ranks, const std::function<int(int rank)>& work) {
  Children children;
  for (int rank = 0; rank < ranks; ++rank) children.start(rank, work);
  for (int left = ranks; left > 0; --left) {
    const auto [rank, status] = children.wait_for_one();
    if (status == 0) continue;
    write_line(STDERR_FILENO, "tinygpt: rank " + std::to_string(rank) + " " + how_it_ended(status) +
                                  "; stopping the other ranks");
    children.stop();
    return 1;
  }
  return 0;
}

}  // namespace tinygpt
