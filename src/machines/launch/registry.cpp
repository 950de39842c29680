#include "launch/registry.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace gate::launch {

namespace {

// Return an ended child without reaping it, or 0.
pid_t ended_child() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_pid : 0;
}

// An ignored SIGCHLD, inherited from whoever started gate, makes the system drop the exit statuses of
// children.
void keep_exit_statuses() {
  struct sigaction action {};
  ::sigaction(SIGCHLD, nullptr, &action);
  if (action.sa_handler != SIG_IGN) return;
  action.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &action, nullptr);
}

bool is_adopted(pid_t child) { return ::getsid(child) != ::getsid(0); }

}  // namespace

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::enter_run() {
  const std::lock_guard lock(mutex_);
  if (++runs_ > 1) return;
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  keep_exit_statuses();
}

void Registry::leave_run() {
  const std::lock_guard lock(mutex_);
  if (--runs_ == 0) first_start_ = 0;
}

bool Registry::is_only_run() const {
  const std::lock_guard lock(mutex_);
  return runs_ == 1;
}

void Registry::note_start(std::uint64_t start) {
  const std::lock_guard lock(mutex_);
  if (first_start_ == 0) first_start_ = start;
}

std::uint64_t Registry::first_start() const {
  const std::lock_guard lock(mutex_);
  return first_start_;
}

pid_t Registry::start(const std::function<pid_t()>& start_now) {
  const std::lock_guard lock(mutex_);
  const pid_t pid = start_now();
  if (pid > 0) launchers_.insert(pid);
  return pid;
}

int Registry::reap(pid_t launcher, siginfo_t& info) {
  const std::lock_guard lock(mutex_);
  const int result = ::waitid(P_PID, static_cast<id_t>(launcher), &info, WEXITED | WNOHANG);
  if (result == 0 && info.si_pid == launcher) launchers_.erase(launcher);
  return result;
}

void Registry::forget(pid_t launcher) {
  const std::lock_guard lock(mutex_);
  launchers_.erase(launcher);
}

std::set<pid_t> Registry::launchers() const {
  const std::lock_guard lock(mutex_);
  return launchers_;
}

void Registry::enter_tool() {
  const std::lock_guard lock(mutex_);
  ++tools_;
}

void Registry::leave_tool() {
  const std::lock_guard lock(mutex_);
  --tools_;
}

bool Registry::has_children() const {
  {
    const std::lock_guard lock(mutex_);
    if (tools_ > 0) return false;
  }
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

void Registry::reap_orphans() {
  const std::lock_guard lock(mutex_);
  for (pid_t child = ended_child(); child > 0; child = ended_child()) {
    if (launchers_.contains(child) || !is_adopted(child)) return;
    ::waitpid(child, nullptr, WNOHANG);
  }
}

}  // namespace gate::launch
