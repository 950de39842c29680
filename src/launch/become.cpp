#include "launch/become.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace gate::launch {

namespace {

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

}  // namespace

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

}  // namespace gate::launch
