// The gate that runs one test, in a folder of its own. It outlives the worker: what of it is alive, and how
// it ended, is seen in its folder by whoever comes next.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate::worker {

struct GateLaunch {
  std::vector<std::string> argv;           // the program by its path, and its words
  std::map<std::string, std::string> env;  // all of its environment
  fs::Path cwd;
  fs::Path folder;  // is made; holds `lock`, and `output.txt`, what it prints
};

// Start it in a session of its own. The lock of the folder is held by it and by nobody else from here on, and
// holds its process id. Returns that; fails where it cannot be executed, or one that was started there lives.
Result<pid_t> launch_gate(const GateLaunch& launch);

// Tell whether something of the one that was started in the folder is alive, or this system cannot say.
bool is_alive(const fs::Path& folder);

// Ask it to end, by TERM, once: a second one would tell it to hurry, and leave its results where they are.
// What is not alive is no failure.
void end_gate(const fs::Path& folder);

}  // namespace gate::worker
