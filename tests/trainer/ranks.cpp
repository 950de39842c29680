#include "trainer/ranks.h"

#include <poll.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "trainer/log_lines.h"

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

// While it lives, the end of a child ends wait_for_any_or_child() and nothing else.
class ChildSignal {
 public:
  ChildSignal() {
    struct sigaction wakes {};
    wakes.sa_handler = [](int) {};
    sigaction(SIGCHLD, &wakes, &action_before_);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &mask_before_);
    open_ = mask_before_;
    sigdelset(&open_, SIGCHLD);
  }
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;
  ~ChildSignal() {
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
    sigaction(SIGCHLD, &action_before_, nullptr);
  }

  // Wait until one can be read or a child ends, which is noticed even if it has ended before.
  void wait_for_any_or_child(const std::vector<int>& fds) const {
    std::vector<pollfd> polled;
    for (const int fd : fds) polled.push_back({fd, POLLIN, 0});
    ppoll(polled.data(), polled.size(), nullptr, &open_);
  }

 private:
  struct sigaction action_before_ {};
  sigset_t mask_before_;
  sigset_t open_;
};

// The ranks that run; the pid of one that has ended is 0.
class Children {
 public:
  explicit Children(int first) : first_(first) {}
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() { stop(); }

  void start(const std::function<int(int)>& work) {
    const int rank = first_ + static_cast<int>(pids_.size());
    const pid_t launcher = getpid(), pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot start a rank");
    if (pid == 0) be_rank(rank, launcher, work);
    pids_.push_back(pid);
  }

  // Return a rank that has ended and its wait status, if one has.
  std::optional<std::pair<int, int>> ended() {
    int status = 0;
    pid_t pid = -1;
    while ((pid = waitpid(-1, &status, WNOHANG)) < 0)
      if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for the ranks");
    if (pid == 0) return std::nullopt;
    const auto found = std::find(pids_.begin(), pids_.end(), pid);
    *found = 0;
    return std::pair{first_ + static_cast<int>(found - pids_.begin()), status};
  }

  void stop() {
    for (const pid_t pid : pids_)
      if (pid != 0) kill(pid, SIGKILL);
    for (pid_t& pid : pids_)
      if (pid != 0) reap(std::exchange(pid, 0));
  }

 private:
  int first_;
  std::vector<pid_t> pids_;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
  return "exited with code " + std::to_string(WEXITSTATUS(status));
}

std::string stopped_by(int rank, int status) {
  return "rank " + std::to_string(rank) + " " + how_it_ended(status) + "; stopping the other ranks";
}

std::optional<std::string> stopped_by(std::optional<int> node) {
  if (!node) return std::nullopt;
  return "node " + std::to_string(*node) + " was lost; stopping this node";
}

// Return why the ranks cannot go on, or nothing when they have all ended well.
std::optional<std::string> watch(Children& children, int ranks, Nodes* nodes) {
  const ChildSignal signal;
  const std::vector<int> watched = nodes == nullptr ? std::vector<int>() : nodes->watched();
  for (int left = ranks; left > 0;) {
    const auto ended = children.ended();
    if (ended && ended->second != 0) return stopped_by(ended->first, ended->second);
    if (auto why = nodes == nullptr ? std::nullopt : stopped_by(nodes->lost())) return why;
    if (ended)
      --left;
    else
      signal.wait_for_any_or_child(watched);
  }
  return nodes == nullptr ? std::nullopt : stopped_by(nodes->part());
}

}  // namespace

int run_ranks(int ranks, const std::function<int(int rank)>& work, Nodes* nodes) {
  Children children(nodes == nullptr ? 0 : nodes->own() * ranks);
  for (int rank = 0; rank < ranks; ++rank) children.start(work);
  const auto why = watch(children, ranks, nodes);
  if (!why) return 0;
  write_line(STDERR_FILENO, "tinygpt: " + *why);
  return 1;
}

}  // namespace tinygpt
