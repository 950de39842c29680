#include "gate/launch/guard.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "gate/base/log.h"
#include "gate/model/outcome.h"
#include "gate/model/verdict.h"
#include "launch/process.h"
#include "launch/tree.h"

namespace gate::launch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Duration look_interval{20};
constexpr Duration kill_patience{10000};

pid_t guard_pid = 0;    // in the worker
int guard_socket = -1;  // in the worker; what is sent there stays open as long as the guard

sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&set, signal);
  return set;
}

// The worker writes to a terminal whose foreground it has left: that must not stop it.
void become_worker(pid_t guard, const sigset_t& mask) {
  guard_pid = guard;
  ::setpgid(0, 0);
  ::signal(SIGTTOU, SIG_IGN);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (guard_is_gone()) ::raise(SIGTERM);
}

void send_all(const std::vector<Process>& processes, int signal) {
  for (const Process& process : processes) send(process, signal);
}

void terminate_all(const std::vector<Process>& processes) {
  send_all(processes, SIGTERM);
  send_all(processes, SIGCONT);
}

// Reap what has ended. Returns whether there is no child left.
bool reap_all() {
  for (;;) {
    const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
    if (pid == 0) return false;
    if (pid < 0 && errno != EINTR) return true;
  }
}

void stop_descendants() {
  const auto start = Clock::now();
  terminate_all(descendants(all_processes(), ::getpid()));
  while (!reap_all() && Clock::now() < start + guard_patience + kill_patience) {
    if (Clock::now() >= start + guard_patience)
      for (const Process& process : descendants(all_processes(), ::getpid())) destroy(process);
    ::usleep(std::chrono::microseconds(look_interval).count());
  }
}

int end_of_killed(int signal) {
  stop_descendants();
  log::error("gate was killed by " + signal_name(signal) +
             "; what it had launched was stopped. What was finished is kept; go on with gate run --resume");
  return exit_code::infra;
}

// Pass signals on until the worker has ended.
int watch(pid_t worker, const sigset_t& signals) {
  for (;;) {
    int status = 0;
    if (::waitpid(worker, &status, WNOHANG) == worker)
      return WIFEXITED(status) ? WEXITSTATUS(status) : end_of_killed(WTERMSIG(status));
    const int signal = ::sigwaitinfo(&signals, nullptr);
    if (signal > 0 && signal != SIGCHLD) ::kill(worker, signal == SIGINT ? SIGINT : SIGTERM);
  }
}

}  // namespace

std::optional<int> guard() {
  const sigset_t signals = watched_signals();
  sigset_t mask;
  ::sigprocmask(SIG_BLOCK, &signals, &mask);
  ::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  std::fflush(nullptr);
  const pid_t self = ::getpid();
  std::array<int, 2> ends{-1, -1};  // none where the system has none
  ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data());
  const pid_t worker = ::fork();
  if (worker > 0) return watch(worker, signals);
  if (worker == 0) {
    ::close(ends[0]);
    guard_socket = ends[1];
    become_worker(self, mask);
  } else {
    ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  }
  return std::nullopt;
}

// What the guard never reads stays in its socket, and what that holds stays open.
void keep_open_with_guard(int descriptor) {
  if (guard_socket < 0) return;
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  ::sendmsg(guard_socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool guard_is_gone() { return guard_pid != 0 && ::getppid() != guard_pid; }

}  // namespace gate::launch
