// SIGTERM as a wish: to end after the step, with a checkpoint.
#pragma once

#include <atomic>
#include <csignal>

namespace tinygpt {

// While it lives, SIGTERM ends neither this process nor those it forks: whoever of them gets it, all of them
// know. One lives at a time.
class ExitSignal {
 public:
  // Throws std::system_error.
  ExitSignal();
  ExitSignal(const ExitSignal&) = delete;
  ExitSignal& operator=(const ExitSignal&) = delete;
  ~ExitSignal();

  bool has_come() const { return come_->load(); }

 private:
  std::atomic<bool>* come_;  // in memory that the processes share
  struct sigaction action_before_ {};
};

}  // namespace tinygpt
