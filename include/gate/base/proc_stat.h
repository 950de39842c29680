// A process as /proc/PID/stat tells of it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace gate {

// A pid alone may be given to another process; pid and start time name one for good.
struct ProcEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  char state = '?';  // of its first thread, as in ps: R S D T Z ...
  int threads = 1;
  std::uint64_t start = 0;  // clock ticks since boot
  pid_t group = 0;          // KILL goes to all of it
  bool operator==(const ProcEntry&) const = default;
};

// Return the process that a line of /proc/PID/stat describes, or nothing if it is none.
std::optional<ProcEntry> parse_stat(std::string_view line);

}  // namespace gate
