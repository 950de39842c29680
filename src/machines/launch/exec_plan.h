// The way of a child to the program that it is to become.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <vector>

#include "launch/command.h"

namespace gate::launch {

enum class ExecStage : int { stdio, folder, program };

// What kept a child from its program, as it tells it through its report.
struct ExecFailure {
  ExecStage step = ExecStage::program;
  int error = 0;
};

// The descriptors that a child is given. All but the first three are closed when the program is executed.
struct ExecFiles {
  int input;
  int output;
  int errors;
  int report;  // an ExecFailure is written to it; it ends empty when the program was executed
  int ready;   // what the command finds as ready_descriptor; -1: none
};

// A command laid out for a child that shares gate's memory until it executes: the plan must stay where it is
// until then, or until the child has ended.
class ExecPlan {
 public:
  explicit ExecPlan(const ExecWords& command);
  ExecPlan(const ExecPlan&) = delete;

  // Start the child, in a session of its own, with default signal dispositions and an empty signal mask.
  // To be called once, all signals being blocked. Returns its pid; -1 with errno where there can be none.
  pid_t start(const ExecFiles& files);

 private:
  static int become_program(void* plan);

  ExecWords command_;
  std::vector<char*> argv_;
  std::vector<char*> env_;
  std::vector<const char*> files_;
  const char* folder_;  // null: gate's own
  ExecFiles given_{};
  pid_t parent_ = 0;
  unsigned most_descriptors_ = 0;
  alignas(std::max_align_t) std::array<std::byte, 32768> stack_;
};

}  // namespace gate::launch
