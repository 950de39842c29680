// Pipes, and handles of processes, which no other process can get.
//
// All of them are close-on-exec and have numbers that no script is given, so that none leaks into a script
// and none is in the way when its stdin, stdout, stderr and `ready_descriptor` are set. Handles are had by
// system call: glibc 2.36 declares its own wrappers without C linkage.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "gate/base/fd.h"
#include "gate/base/result.h"

namespace gate::launch {

// Where a command with a setup tells that the script is about to start. Above those that shells and setup
// texts use themselves.
inline constexpr int ready_descriptor = 197;

enum class Reads { blocking, at_once };  // at_once: a read of an empty pipe fails with EAGAIN

struct Pipe {
  Fd read;
  Fd write;
};

Result<Pipe> make_pipe(Reads reads);
Result<Fd> open_null();

// Return the system's words for an errno value.
std::string reason(int error);

// Return a handle of the process, or none: it is gone, or the system has none to give.
inline Fd open_pidfd(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

// Send the signal to the process. Returns false and sets errno as kill does.
inline bool send_by_pidfd(const Fd& pidfd, int signal) {
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0) == 0;
}

}  // namespace gate::launch
