#include "launch/child.h"

#include <unistd.h>

#include <cerrno>

#include "gate/base/text.h"
#include "launch/become.h"
#include "launch/pidfd.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

// No handler of gate may run in a child that shares gate's descriptors.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

pid_t fork_into(const ExecPlan& plan) {
  const SignalsBlocked blocked;
  return Registry::instance().fork([&] {
    const pid_t pid = ::fork();
    if (pid == 0) plan.become();
    return pid;
  });
}

std::string words(const ExecFailure& failure, const std::string& program, const std::string& folder) {
  const std::string why = ": " + reason(failure.error);
  switch (failure.step) {
    case ExecStage::stdio:
      return "cannot set up stdin, stdout and stderr" + why;
    case ExecStage::folder:
      return "cannot enter the folder " + printable(folder) + why;
    case ExecStage::program:
      break;
  }
  const bool searched = failure.error == ENOENT && program.find('/') == std::string::npos;
  return "cannot start " + printable(program) + why + (searched ? " (searched on PATH)" : "");
}

}  // namespace

Result<Child> Child::start(const ExecWords& command, const Fd& output, const Fd& errors) {
  GATE_TRY(auto input, open_null());
  return start(command, input, output, errors);
}

Result<Child> Child::start(const ExecWords& command, const Fd& input, const Fd& output, const Fd& errors) {
  GATE_TRY(auto report, make_pipe(Reads::at_once));
  GATE_TRY(auto ready, command.has_setup ? make_pipe(Reads::at_once) : Result<Pipe>(Pipe{}));
  const pid_t pid = fork_into(ExecPlan(command, input, output, errors, report.write, ready.write));
  if (pid < 0) return fail("cannot start a process: " + reason(errno));
  return Child(pid, command, std::move(report.read), std::move(ready.read));
}

Child::Child(pid_t pid, const ExecWords& command, Fd report, Fd ready)
    : pidfd_(open_pidfd(pid)),
      report_(std::move(report)),
      ready_(std::move(ready)),
      program_(command.argv.front()),
      folder_(command.cwd) {
  process_ = read_process(pid).value_or(ProcEntry{});
  process_.pid = pid;
  process_.session = pid;
  process_.group = pid;
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, {})),
      pidfd_(std::move(other.pidfd_)),
      report_(std::move(other.report_)),
      ready_(std::move(other.ready_)),
      program_(std::move(other.program_)),
      folder_(std::move(other.folder_)),
      outcome_(std::move(other.outcome_)) {}

Child::~Child() {
  if (process_.pid > 0 && !has_ended()) Registry::instance().forget(process_.pid);
}

const std::optional<Outcome>& Child::poll() {
  if (has_ended()) return outcome_;
  siginfo_t info{};
  const int result = Registry::instance().reap(process_.pid, info);
  if (result == 0 && info.si_pid == process_.pid) outcome_ = ended_as(info);
  if (result != 0 && errno == ECHILD) outcome_ = Vanished{"the system holds no exit status of the script"};
  return outcome_;
}

bool Child::is_ready() {
  char told = 0;
  if (ready_ && ::read(ready_.get(), &told, 1) == 1) ready_.close();
  return !ready_;
}

Outcome Child::ended_as(const siginfo_t& info) const {
  ExecFailure failure;
  if (::read(report_.get(), &failure, sizeof failure) == sizeof failure)
    return NotStarted{words(failure, program_, folder_)};
  if (info.si_code == CLD_EXITED) return Exited{info.si_status};
  return Killed{info.si_status};
}

void Child::send(int signal) const {
  if (!has_ended()) ::kill(process_.pid, signal);
}

void Child::send_group(int signal) const {
  if (!has_ended()) ::kill(-process_.pid, signal);
}

}  // namespace gate::launch
