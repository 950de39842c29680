// The way of a forked child to the program that it is to become.
//
// Between fork and exec only async-signal-safe calls are allowed, for another thread may have held any lock
// at the moment of the fork. So all words are laid out before it, and what fails is told as two numbers
// through a close-on-exec pipe: it ends empty when the program was executed.
#pragma once

#include <sys/types.h>

#include <vector>

#include "launch/command.h"
#include "launch/fd.h"

namespace gate::launch {

enum class ExecStage : int { stdio, folder, program };

struct ExecFailure {
  ExecStage step = ExecStage::program;
  int error = 0;
};

// The command as execve takes it. It points into the command, which must outlive it.
class ExecPlan {
 public:
  // `ready` is what the command finds as ready_descriptor, where it has a setup.
  ExecPlan(const ExecWords& command, const Fd& input, const Fd& output, const Fd& errors, const Fd& report,
           const Fd& ready);

  // Never returns. To be called in the child, all signals being blocked.
  [[noreturn]] void become() const;

 private:
  [[noreturn]] void fail_at(ExecStage step) const;
  [[noreturn]] void execute() const;

  std::vector<char*> argv_;
  std::vector<char*> env_;
  std::vector<const char*> files_;
  const char* folder_;
  int input_;
  int output_;
  int errors_;
  int report_;
  int ready_;  // -1: none
  pid_t parent_;
};

}  // namespace gate::launch
