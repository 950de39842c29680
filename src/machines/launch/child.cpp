#include "launch/child.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "gate/base/text.h"
#include "launch/fd.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

// The way of a forked child to the program that it is to become.
//
// Between fork and exec only async-signal-safe calls are allowed, for another thread may have held any lock
// at the moment of the fork. So all words are laid out before it, and what fails is told as two numbers
// through a close-on-exec pipe: it ends empty when the program was executed.

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

constexpr int most_descriptors = 65536;  // marked one by one where the kernel has no close_range

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

void reset_signals() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
}

void unblock_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_all_on_exec() {
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  const long limit = ::sysconf(_SC_OPEN_MAX);
  const int end = limit < 0 || limit > most_descriptors ? most_descriptors : static_cast<int>(limit);
  for (int fd = STDERR_FILENO + 1; fd < end; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

ExecPlan::ExecPlan(const ExecWords& command, const Fd& input, const Fd& output, const Fd& errors,
                   const Fd& report, const Fd& ready)
    : argv_(pointers(command.argv)),
      env_(pointers(command.env)),
      folder_(command.cwd.empty() ? nullptr : command.cwd.c_str()),
      input_(input.get()),
      output_(output.get()),
      errors_(errors.get()),
      report_(report.get()),
      ready_(ready.get()),
      parent_(::getpid()) {
  for (const std::string& file : command.files) files_.push_back(file.c_str());
}

void ExecPlan::become() const {
  reset_signals();
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent_) ::_exit(EXIT_FAILURE);
  if (::dup2(input_, STDIN_FILENO) < 0 || ::dup2(output_, STDOUT_FILENO) < 0 ||
      ::dup2(errors_, STDERR_FILENO) < 0)
    fail_at(ExecStage::stdio);
  if (folder_ != nullptr && ::chdir(folder_) != 0) fail_at(ExecStage::folder);
  close_all_on_exec();
  if (ready_ >= 0 && ::dup2(ready_, ready_descriptor) < 0) fail_at(ExecStage::stdio);
  unblock_signals();
  execute();
}

// Like execvp, a file that is there but may not be executed is remembered while others are tried.
void ExecPlan::execute() const {
  int error = ENOENT;
  for (const char* file : files_) {
    ::execve(file, argv_.data(), env_.data());
    if (errno == EACCES) error = EACCES;
    if (errno != EACCES && errno != ENOENT && errno != ENOTDIR) fail_at(ExecStage::program);
  }
  errno = error;
  fail_at(ExecStage::program);
}

void ExecPlan::fail_at(ExecStage step) const {
  const ExecFailure failure{step, errno};
  const ssize_t written = ::write(report_, &failure, sizeof failure);
  ::_exit(written == sizeof failure ? 127 : 126);
}

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
    const pid_t pid = ::fork();  // vfork is faster, and would hold the registry while a folder hangs
    if (pid == 0) plan.become();
    return pid;
  });
}

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
