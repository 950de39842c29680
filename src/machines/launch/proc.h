// Processes as /proc shows them.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/proc_stat.h"

namespace gate::launch {

// Tell whether it runs: a zombie does not, unless only its first thread has ended.
bool is_alive(const ProcEntry& process);

// Tell whether the content of /proc/PID/environ sets GATE_LAUNCH to the cookie.
bool carries(std::string_view environ, std::string_view cookie);

// Return the value of the variable in the content of /proc/PID/environ, "" where it is not set.
std::string_view value_in(std::string_view environ, std::string_view name);

// Return the command line in /proc/PID/cmdline as one line for people.
std::string command_line(std::string_view cmdline);

// The machine: a process that is gone, or that this user may not look at, is nothing, "" or false.
std::optional<ProcEntry> read_process(pid_t pid);
std::vector<ProcEntry> all_processes();
bool carries_cookie(pid_t pid, std::string_view cookie);
std::string read_environment(pid_t pid);  // of /proc/PID/environ

// Return the content of a file in /proc, at most 4 MiB.
std::string read_proc_file(const fs::Path& path);

// Return `pid 71 sleep 100`.
std::string describe(const ProcEntry& process);

// Send the signal to this very process, and never to another one that got its pid. A process that is gone is
// none.
void send(const ProcEntry& process, int signal);

// KILL the process and, if it left gate's session, its whole group: no fork escapes that.
void destroy(const ProcEntry& process);

}  // namespace gate::launch
