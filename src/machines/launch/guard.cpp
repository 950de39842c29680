#include "gate/launch/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "gate/base/lack.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/model/rules/verdict.h"
#include "gate/model/runs/outcome.h"
#include "launch/proc.h"
#include "launch/process_tree.h"

namespace gate::launch {

namespace {

// What the reaper and the guard have in common: each waits for the process below it, passes signals on to it,
// and stops what falls to it when that one is killed.

constexpr Duration look_interval{20};
constexpr Duration kill_patience{10000};

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watched_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGQUIT}) ::sigaddset(&set, signal);
  if (!is_ignored(SIGHUP)) ::sigaddset(&set, SIGHUP);
  return set;
}

void send_all(const std::vector<ProcEntry>& processes, int signal) {
  for (const ProcEntry& process : processes) send(process, signal);
}

// Reap what has ended. Returns whether there is no child left.
bool reap_all() {
  for (;;) {
    const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
    if (pid == 0) return false;
    if (pid < 0 && errno != EINTR) return true;
  }
}

// A last will and what it starts are one session. What is just being executed shows no environment.
void destroy_all(const std::vector<ProcEntry>& processes) {
  std::set<pid_t> spared;
  for (const ProcEntry& process : processes)
    if (carries_cookie(process.pid, last_will_cookie)) spared.insert(process.session);
  for (const ProcEntry& process : processes)
    if (!spared.contains(process.session)) destroy(process);
}

void stop_descendants() {
  const auto start = SteadyClock::now();
  const auto found = descendants(all_processes(), ::getpid());
  send_all(found, SIGTERM);
  send_all(found, SIGCONT);
  while (!reap_all() && SteadyClock::now() < start + guard_patience + kill_patience) {
    if (SteadyClock::now() >= start + guard_patience) destroy_all(descendants(all_processes(), ::getpid()));
    ::usleep(std::chrono::microseconds(look_interval).count());
  }
}

// Block the signals that `wait_for` passes on: INT, TERM, QUIT, and HUP where it is not ignored; and those
// that tell of children. Returns the mask from before.
sigset_t block_watched_signals() {
  const sigset_t signals = watched_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  ::signal(SIGCHLD, SIG_DFL);
  return before;
}

// Pass signals on to the child until it has ended: INT as INT, all others as TERM; where `passes` is there,
// those for which it returns true. Returns its wait status, having reaped it; nothing where there is no such
// child.
std::optional<int> wait_for(pid_t child, const std::function<bool(const siginfo_t&)>& passes = {}) {
  const sigset_t signals = watched_signals();
  for (int status = 0;;) {
    const pid_t ended = child > 0 ? ::waitpid(child, &status, WNOHANG) : -1;
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&signals, &info);
    if (signal <= 0 || signal == SIGCHLD || (passes && !passes(info))) continue;
    ::kill(child, signal == SIGINT ? SIGINT : SIGTERM);
  }
}

// The worker's own where it lacks memory, has said so, and could stop nothing.
constexpr int lacking = 122;

// Return the exit code that the wait status of the process below stands for: its own, or 125 where it was
// killed, once all that has fallen to this process is stopped; that is said on standard error.
int end_with(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) != lacking) return WEXITSTATUS(status);
  stop_descendants();
  if (WIFEXITED(status)) return exit_code::infra;
  log::error("gate was killed by " + signal_name(WTERMSIG(status)) +
             "; what it had launched was stopped. What was finished is kept; go on with gate run --resume");
  return exit_code::infra;
}

constexpr const char* reaper_name = "reaper";

// In the worker.
pid_t guard_pid = 0;
// The worker's end of a socket whose other end the guard and the reaper share (decisions 14 and 22). They
// read nothing of what is sent there but the worker's pid, which comes first: so what it holds stays open
// until both have ended. A byte from the guard says that the reaper is gone.
int guard_socket = -1;

// What runs behind the shell's back may write to its terminal.
void leave_group() {
  ::setpgid(0, 0);
  ::signal(SIGTTOU, SIG_IGN);
}

void die_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::raise(SIGTERM);
}

void become_worker(pid_t guard, int socket, const sigset_t& mask) {
  guard_pid = guard;
  guard_socket = socket;
  set_lack_code(lacking);
  leave_group();
  const pid_t self = ::getpid();
  if (socket >= 0) ::send(socket, &self, sizeof self, MSG_DONTWAIT | MSG_NOSIGNAL);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  die_with(guard);
}

// One signal to all processes of gate comes twice, and is one.
int guard_worker(pid_t worker, pid_t reaper, int socket) {
  int passed = 0, from_reaper = 0, from_others = 0;
  const std::optional<int> status = wait_for(worker, [&](const siginfo_t& signal) {
    if (::getppid() != reaper) ::send(socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    ++(signal.si_pid == reaper ? from_reaper : from_others);
    const bool is_new = std::max(from_reaper, from_others) > passed;
    if (is_new) ++passed;
    return is_new;
  });
  return end_with(status.value_or(SIGKILL));
}

// Return the worker's pid as it sent it; 0 where it did not come so far.
pid_t worker_behind(int socket) {
  pid_t worker = 0;
  const ssize_t size = ::recv(socket, &worker, sizeof worker, MSG_PEEK | MSG_DONTWAIT);
  return size == sizeof worker ? worker : 0;
}

// A worker whose guard was killed is this process's child, and ends by itself.
int be_reaper(pid_t guard, int socket) {
  ::prctl(PR_SET_NAME, reaper_name);
  std::optional<int> status = wait_for(guard);
  if (status && !WIFEXITED(*status))
    if (const auto of_worker = wait_for(worker_behind(socket))) status = of_worker;
  return end_with(status.value_or(SIGKILL));
}

// A name among the arguments is one that pkill -f finds (decision 22). Returns where nothing can be executed.
void execute_reaper(pid_t guard, int socket) {
  ::fcntl(socket, F_SETFD, 0);
  const std::string child = std::to_string(guard), end = std::to_string(socket);
  ::execl("/proc/self/exe", reaper_name, child.c_str(), end.c_str(), nullptr);
}

// A killed gate would leave behind whatever it launched.
int refuse_to_launch() {
  log::error("gate could not split itself in three, so as to leave nothing behind when it is killed: " +
             std::generic_category().message(errno) + "; nothing was started");
  return exit_code::infra;
}

}  // namespace

std::optional<int> guard() {
  const sigset_t mask = block_watched_signals();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  std::fflush(nullptr);
  const pid_t reaper = ::getpid();
  std::array<int, 2> ends{-1, -1};  // none where the system has none
  ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data());
  const pid_t guard = ::fork();
  if (guard > 0) {
    ::close(ends[1]);
    execute_reaper(guard, ends[0]);
    return be_reaper(guard, ends[0]);
  }
  if (guard < 0) return refuse_to_launch();
  leave_group();
  die_with(reaper);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const pid_t self = ::getpid();
  const pid_t worker = ::fork();
  if (worker < 0) return refuse_to_launch();
  if (worker > 0) {
    ::close(ends[1]);
    return guard_worker(worker, reaper, ends[0]);
  }
  ::close(ends[0]);
  become_worker(self, ends[1], mask);
  return std::nullopt;
}

std::optional<int> reap(int argc, const char* const* argv) {
  if (argc != 3 || std::string_view(argv[0]) != reaper_name) return std::nullopt;
  const auto guard = parse_integer(argv[1]), socket = parse_integer(argv[2]);
  siginfo_t info{};
  if (!guard || !socket ||
      ::waitid(P_PID, static_cast<id_t>(*guard), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return std::nullopt;  // somebody else's words
  return be_reaper(static_cast<pid_t>(*guard), static_cast<int>(*socket));
}

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

// Both have ended where the other end is closed.
bool guard_is_gone() {
  if (guard_pid == 0) return false;
  pollfd word{guard_socket, POLLIN, 0};
  return ::getppid() != guard_pid || (::poll(&word, 1, 0) > 0 && word.revents != 0);
}

}  // namespace gate::launch
