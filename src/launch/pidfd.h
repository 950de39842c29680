// Handles of processes, which no other process can get. By system call: glibc 2.36 declares its own wrappers
// without C linkage.
#pragma once

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "launch/fd.h"

namespace gate::launch {

// Return a handle of the process, or none: it is gone, or the system has none to give.
inline Fd open_pidfd(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

// Send the signal to the process. Returns false and sets errno as kill does.
inline bool send_by_pidfd(const Fd& pidfd, int signal) {
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), signal, nullptr, 0) == 0;
}

}  // namespace gate::launch
