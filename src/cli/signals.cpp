#include "cli/signals.h"

#include <csignal>

namespace gate::cli {

namespace {

volatile std::sig_atomic_t caught = 0;
volatile std::sig_atomic_t times = 0;

void remember(int signal) {
  if (caught == 0) caught = signal;
  if (times < 2) times = times + 1;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = remember;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

std::optional<int> caught_signal() {
  const int signal = caught;
  return signal == 0 ? std::nullopt : std::optional(signal);
}

bool caught_twice() { return times > 1; }

}  // namespace gate::cli
