#include "worker/gate_process.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include "gate/base/fd.h"
#include "gate/base/text.h"

namespace gate::worker {

namespace {

fs::Path lock_file(const fs::Path& folder) { return folder / "lock"; }

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// The child: a copy of a program that has threads, in which only calls are safe that take nothing from it.
[[noreturn]] void become(const std::vector<char*>& argv, const std::vector<char*>& env, const char* cwd,
                         int lock, int null, int output, int failure) {
  ::setsid();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(null, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  std::array<char, 24> digits{};
  std::size_t at = digits.size();
  digits[--at] = '\n';
  for (pid_t rest = ::getpid(); rest > 0; rest /= 10) digits[--at] = static_cast<char>('0' + rest % 10);
  const bool is_ready = ::write(lock, digits.data() + at, digits.size() - at) > 0 &&
                        ::fcntl(lock, F_SETFD, 0) == 0 && ::chdir(cwd) == 0;
  if (is_ready) ::execve(argv[0], argv.data(), env.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t ignored = ::write(failure, &why, sizeof why);
  ::_exit(127);
}

// Wait until the child is another program. Returns 0, or the errno of why it cannot be.
int why_not_executed(pid_t child, Fd told) {
  int why = 0;
  ssize_t count = 0;
  do count = ::read(told.get(), &why, sizeof why);
  while (count < 0 && errno == EINTR);
  if (count != sizeof why) return 0;
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  return why;
}

// The process id in the lock; 0 where it holds none.
pid_t pid_in(const fs::Path& lock) {
  const std::string text = fs::read_regular(lock, 100).value_or("");
  return static_cast<pid_t>(parse_integer(trim(text)).value_or(0));
}

// A number may be another process's by now; one that holds the lock open is gate.
bool holds(pid_t pid, const fs::Path& lock) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", error))
    if (std::filesystem::equivalent(entry.path(), lock, error)) return true;
  return false;
}

}  // namespace

Result<pid_t> launch_gate(const GateLaunch& launch) {
  GATE_TRY_STATUS(fs::make_folder(launch.folder));
  const fs::Path path = lock_file(launch.folder), log = launch.folder / "output.txt";
  const auto refused = [&](const fs::Path& file) {
    return fail(file.string() + ": " + std::generic_category().message(errno));
  };
  const Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd output(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!null || !output) return refused(log);
  const Fd lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return refused(path);
  if (::ftruncate(lock.get(), 0) != 0) return refused(path);

  std::vector<std::string> words = launch.argv, variables;
  for (const auto& [name, value] : launch.env) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers_to(words), env = pointers_to(variables);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return refused("pipe");
  Fd told(ends[0]);
  const pid_t child = [&] {
    const Fd tells(ends[1]);
    const pid_t forked = ::fork();
    if (forked == 0) become(argv, env, launch.cwd.c_str(), lock.get(), null.get(), output.get(), tells.get());
    return forked;
  }();
  if (child < 0) return refused("fork");
  errno = why_not_executed(child, std::move(told));
  if (errno != 0) return refused(launch.argv.front() + ": cannot be executed in " + launch.cwd.string());
  return child;
}

bool is_alive(const fs::Path& folder) {
  const Fd lock(::open(lock_file(folder).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!lock) return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO;
  return ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno != EBADF;
}

void end_gate(const fs::Path& folder) {
  const fs::Path lock = lock_file(folder);
  const pid_t pid = pid_in(lock);
  const fs::Path asked = folder / "asked_to_end";
  if (pid <= 1 || fs::exists(asked) || !is_alive(folder) || !holds(pid, lock)) return;
  ::kill(pid, SIGTERM);
  [[maybe_unused]] const Status remembered = fs::write_file(asked, "");
}

}  // namespace gate::worker
