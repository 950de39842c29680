// A process that gate started itself, until it has ended and is reaped.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <memory>
#include <optional>
#include <utility>

#include "gate/model/runs/outcome.h"
#include "launch/command.h"
#include "launch/exec_plan.h"
#include "launch/fd.h"
#include "launch/proc.h"

namespace gate::launch {

class Child {
 public:
  // Start the command in a session of its own, with stdin from `input`, else /dev/null, stdout and stderr to
  // `output`, default signal dispositions, an empty signal mask and no other descriptor of gate. It gets TERM
  // when the thread that starts it is gone. Fails only if the system starts no process; a command that cannot
  // be executed ends as NotStarted.
  static Result<Child> start(const ExecWords& command, const Fd& output) {
    return start(command, output, output);
  }
  static Result<Child> start(const ExecWords& command, const Fd& output, const Fd& errors);
  static Result<Child> start(const ExecWords& command, const Fd& input, const Fd& output, const Fd& errors);

  // One that is not to be started, and has ended so.
  explicit Child(Outcome outcome) : outcome_(std::move(outcome)) {}

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  // Look whether it has ended, and reap it then. Returns how.
  const std::optional<Outcome>& poll();

  // Tell what the last look saw.
  bool has_ended() const { return outcome_.has_value(); }

  // Tell whether the script itself has been started by now: its setup, if it has one, is done.
  bool is_ready();

  // A descriptor that can be polled for its end; -1 where the system has none or it has ended.
  int pidfd() const { return has_ended() ? -1 : pidfd_.get(); }

  // Its pid and start time; the start time is 0 where /proc cannot be read.
  const ProcEntry& process() const { return process_; }

  // Send it the signal, if it has not ended; `send_group`: to its process group.
  void send(int signal) const;
  void send_group(int signal) const;

 private:
  Child(pid_t pid, std::unique_ptr<ExecPlan> plan, const ExecWords& command, Fd report, Fd ready);
  Outcome ended_as(const siginfo_t& info) const;

  ProcEntry process_;
  std::unique_ptr<ExecPlan> plan_;  // the child may still go by it
  Fd pidfd_;
  Fd report_;  // says what kept it from being executed; empty if nothing did
  Fd ready_;   // says that the setup is done; none where there is no setup, or it is done
  std::string program_;
  std::string folder_;
  std::optional<Outcome> outcome_;
};

}  // namespace gate::launch
