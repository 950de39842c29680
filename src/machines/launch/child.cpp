#include "launch/child.h"

#include <unistd.h>

#include <cerrno>

#include "gate/base/text.h"
#include "launch/fd.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

// No handler of gate may run in a child that shares its memory and has its descriptors.
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

Sentence words(const ExecFailure& failure, const std::string& program, const std::string& folder) {
  const std::string why = reason(failure.error);
  switch (failure.step) {
    case ExecStage::stdio:
      return say({"cannot set up stdin, stdout and stderr: {}", "无法设置 stdin、stdout 和 stderr：{}"}, why);
    case ExecStage::folder:
      return say({"cannot enter the folder {}: {}", "无法进入目录 {}：{}"}, printable(folder), why);
    case ExecStage::program:
      break;
  }
  const bool searched = failure.error == ENOENT && program.find('/') == std::string::npos;
  return say({"cannot start {}: {}{}", "无法启动 {}：{}{}"}, printable(program), why,
             searched ? say({" (searched on PATH)", "（在 PATH 里查找）"}) : Sentence());
}

}  // namespace

Result<Child> Child::start(const ExecWords& command, const Fd& output, const Fd& errors) {
  GATE_TRY(auto input, open_null());
  return start(command, input, output, errors);
}

Result<Child> Child::start(const ExecWords& command, const Fd& input, const Fd& output, const Fd& errors) {
  GATE_TRY(auto report, make_pipe(Reads::at_once));
  GATE_TRY(auto ready, command.has_setup ? make_pipe(Reads::at_once) : Result<Pipe>(Pipe{}));
  auto plan = std::make_unique<ExecPlan>(command);
  const ExecFiles files{input.get(), output.get(), errors.get(), report.write.get(), ready.write.get()};
  const pid_t pid = [&] {
    const SignalsBlocked blocked;
    return Registry::instance().start([&] { return plan->start(files); });
  }();
  if (pid < 0) return fail("cannot start a process: " + reason(errno));
  return Child(pid, std::move(plan), command, std::move(report.read), std::move(ready.read));
}

Child::Child(pid_t pid, std::unique_ptr<ExecPlan> plan, const ExecWords& command, Fd report, Fd ready)
    : plan_(std::move(plan)),
      pidfd_(open_pidfd(pid)),
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
      plan_(std::move(other.plan_)),
      pidfd_(std::move(other.pidfd_)),
      report_(std::move(other.report_)),
      ready_(std::move(other.ready_)),
      program_(std::move(other.program_)),
      folder_(std::move(other.folder_)),
      outcome_(std::move(other.outcome_)) {}

Child::~Child() {
  if (process_.pid <= 0 || has_ended()) return;
  Registry::instance().forget(process_.pid);
  char none = 0;
  const bool is_executed = ::read(report_.get(), &none, 1) == 0;
  if (!is_executed) static_cast<void>(plan_.release());  // it hangs, and may yet go on
}

const std::optional<Outcome>& Child::poll() {
  if (has_ended()) return outcome_;
  siginfo_t info{};
  const int result = Registry::instance().reap(process_.pid, info);
  if (result == 0 && info.si_pid == process_.pid) outcome_ = ended_as(info);
  if (result != 0 && errno == ECHILD)
    outcome_ = Vanished{say({"the system holds no exit status of the script", "系统没有脚本的退出状态"})};
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
