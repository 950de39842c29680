#include "cli/world/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "gate/launch/guard.h"

namespace gate::cli {

namespace {

volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t passed_on = 0;  // how often the guard sent one
volatile std::sig_atomic_t direct = 0;     // how often somebody else did

void remember(int signal, siginfo_t* info, void*) {
  if (caught == 0) caught = signal == SIGHUP ? SIGTERM : signal;
  if (info->si_pid == ::getppid()) {
    if (passed_on < 2) passed_on = passed_on + 1;
  } else if (direct < 2) {
    direct = direct + 1;
  }
}

bool unguarded_too_long() {
  static std::atomic<SteadyClock::rep> began_at = 0;  // several threads ask
  if (!launch::guard_is_gone()) return false;
  const SteadyClock::rep now = SteadyClock::now().time_since_epoch().count();
  SteadyClock::rep first = 0;
  if (began_at.compare_exchange_strong(first, now)) first = now;
  return SteadyClock::duration(now - first) >= launch::guard_patience;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = remember;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // nohup
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, [](int) {});  // a file at its limit is an error of writing; scripts have it as it was
}

std::optional<int> caught_signal() {
  const int signal = caught;
  return signal == 0 ? std::nullopt : std::optional(signal);
}

bool must_hurry() { return passed_on > 1 || direct > 1 || unguarded_too_long(); }

}  // namespace gate::cli
