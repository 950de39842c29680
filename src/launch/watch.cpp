#include "launch/watch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <set>
#include <vector>

#include "gate/base/log.h"
#include "gate/launch/guard.h"
#include "gate/model/outcome.h"
#include "gate/model/verdict.h"
#include "launch/proc.h"
#include "launch/tree.h"

namespace gate::launch {

namespace {

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

}  // namespace

sigset_t block_watched_signals() {
  const sigset_t signals = watched_signals();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  ::signal(SIGCHLD, SIG_DFL);
  return before;
}

std::optional<int> wait_for(pid_t child, const std::function<bool(const siginfo_t&)>& passes) {
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

int end_with(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  stop_descendants();
  log::error("gate was killed by " + signal_name(WTERMSIG(status)) +
             "; what it had launched was stopped. What was finished is kept; go on with gate run --resume");
  return exit_code::infra;
}

}  // namespace gate::launch
