// A fork copies the tables of all memory that gate holds, and each page that gate writes to afterwards faults
// once: with 1,000 cases a third of all that gate does for a case. A vfork copies nothing, and suspends the
// thread until the program is executed: for ever where its folder is on a server that does not answer. So the
// child is a clone that shares gate's memory and that nobody waits for.
//
// Such a child is a second program in the same memory. It may write to its own stack, which is a part of the
// plan, and to nothing else: not to the heap, whose locks other threads hold, and not to `errno`, which is
// the starting thread's. So all words are laid out before it, its system calls are made without the library,
// and what fails is told as two numbers through a pipe. What watches memory for errors would watch it by the
// starting thread's state, and leaves it alone.
//
//   gate                                child
//   plan: argv, env, files, folder
//   clone ------------------------->    signals, session, stdin to stderr, folder
//   goes on, keeps the plan             execve: /opt/bin/bash (ENOENT), /bin/bash
//   the report ends empty  <---------   bash, in memory of its own
#include "launch/exec_plan.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>

#include "launch/fd.h"

#define GATE_UNWATCHED __attribute__((no_sanitize("address", "thread", "undefined")))

namespace gate::launch {

namespace {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GATE_CLONE_IS_FORK  // the sanitizer's runtime takes each clone for one
#endif
#endif
#if defined(GATE_CLONE_IS_FORK)
constexpr int shared_memory = 0;
#else
constexpr int shared_memory = CLONE_VM;
#endif

constexpr long descriptor_limit = 65536;  // marked one by one where the kernel has no close_range

// Make a system call. Returns what it returns, or -errno.
GATE_UNWATCHED long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
#if defined(__x86_64__)
  long result = number;
  register long fourth asm("r10") = d;
  register long fifth asm("r8") = e;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long name asm("x8") = number;
  register long first asm("x0") = a;
  register long second asm("x1") = b;
  register long third asm("x2") = c;
  register long fourth asm("x3") = d;
  register long fifth asm("x4") = e;
  asm volatile("svc 0"
               : "+r"(first)
               : "r"(name), "r"(second), "r"(third), "r"(fourth), "r"(fifth)
               : "memory");
  return first;
#else
#error "gate starts programs on x86_64 and aarch64"
#endif
}

GATE_UNWATCHED long word(const void* place) { return reinterpret_cast<long>(place); }

// The kernel's own words for signals: 64 of them, and SIG_DFL with no flag and an empty mask.
constexpr int signal_count = 64;
constexpr long mask_size = 8;
constexpr std::array<long, 4> default_action{};
constexpr long empty_mask = 0;

GATE_UNWATCHED void reset_signals() {
  for (int signal = 1; signal <= signal_count; ++signal)
    call(SYS_rt_sigaction, signal, word(&default_action), 0, mask_size);
}

GATE_UNWATCHED long give(int from, int to) {
  return from == to ? call(SYS_fcntl, to, F_SETFD, 0) : call(SYS_dup3, from, to, 0);
}

GATE_UNWATCHED void close_all_on_exec(unsigned most_descriptors) {
  if (call(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (unsigned fd = STDERR_FILENO + 1; fd < most_descriptors; ++fd) call(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC);
}

// End the child, and tell why, where the system call of this stage failed.
GATE_UNWATCHED void require(long result, ExecStage step, int report) {
  if (result >= 0) return;
  const ExecFailure failure{step, static_cast<int>(-result)};
  const long written = call(SYS_write, report, word(&failure), sizeof failure);
  for (;;) call(SYS_exit_group, written == sizeof failure ? 127 : 126);
}

// Returns what kept all of the files from being executed. Like execvp, a file that is there but may not be
// executed is remembered while others are tried.
GATE_UNWATCHED long execute(const char* const* file, const char* const* end, char* const* argv,
                            char* const* env) {
  long result = -ENOENT;
  for (; file != end; ++file) {
    const long error = call(SYS_execve, word(*file), word(argv), word(env));
    if (error == -EACCES) result = error;
    if (error != -EACCES && error != -ENOENT && error != -ENOTDIR) return error;
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

ExecPlan::ExecPlan(const ExecWords& command)
    : command_(command),
      argv_(pointers(command_.argv)),
      env_(pointers(command_.env)),
      folder_(command_.cwd.empty() ? nullptr : command_.cwd.c_str()) {
  for (const std::string& file : command_.files) files_.push_back(file.c_str());
}

pid_t ExecPlan::start(const ExecFiles& files) {
  given_ = files;
  parent_ = ::getpid();
  const long limit = ::sysconf(_SC_OPEN_MAX);
  most_descriptors_ = static_cast<unsigned>(limit < 0 ? descriptor_limit : std::min(limit, descriptor_limit));
  std::byte* const stack = stack_.data() + stack_.size();
  const pid_t pid = ::clone(become_program, stack, shared_memory | SIGCHLD, this);
  if (pid >= 0 || errno != EINVAL) return pid;
  // An emulator lets threads alone share memory.
  return ::clone(become_program, stack, SIGCHLD, this);
}

GATE_UNWATCHED int ExecPlan::become_program(void* it) {
  const ExecPlan& plan = *static_cast<const ExecPlan*>(it);
  const ExecFiles& files = plan.given_;
  reset_signals();
  call(SYS_setsid);
  call(SYS_prctl, PR_SET_PDEATHSIG, SIGTERM);
  if (call(SYS_getppid) != plan.parent_) call(SYS_exit_group, EXIT_FAILURE);
  require(give(files.input, STDIN_FILENO), ExecStage::stdio, files.report);
  require(give(files.output, STDOUT_FILENO), ExecStage::stdio, files.report);
  require(give(files.errors, STDERR_FILENO), ExecStage::stdio, files.report);
  if (plan.folder_ != nullptr) require(call(SYS_chdir, word(plan.folder_)), ExecStage::folder, files.report);
  close_all_on_exec(plan.most_descriptors_);
  if (files.ready >= 0) require(give(files.ready, ready_descriptor), ExecStage::stdio, files.report);
  call(SYS_rt_sigprocmask, SIG_SETMASK, word(&empty_mask), 0, mask_size);
  require(execute(plan.files_.data(), plan.files_.data() + plan.files_.size(), plan.argv_.data(),
                  plan.env_.data()),
          ExecStage::program, files.report);
  return 0;
}

}  // namespace gate::launch
