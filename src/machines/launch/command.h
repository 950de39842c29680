// What a command means in the words of execve.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/launch/runner.h"

namespace gate::launch {

struct ExecWords {
  std::vector<std::string> argv;
  std::vector<std::string> env;    // NAME=VALUE
  std::vector<std::string> files;  // to execute: the first that is there
  std::string cwd;                 // "": gate's own
  bool has_setup = false;          // it writes a byte to descriptor `ready_descriptor` when its setup is done
};

// Return what is executed; `inherited` is gate's own environment. Where the command has a setup
// text, one bash evaluates it, tells that it is done, and becomes the script: so variables, limits, umask and
// folder that the text sets hold for the script. A setup that ends with another status than 0 ends the
// command with it.
ExecWords exec_words(const Command& command, std::span<const std::string> inherited);

// Return GATE_LAUNCH, the command's variables, and what is inherited and not set by them.
std::vector<std::string> environment(const Command& command, std::span<const std::string> inherited);

// Return the files that a program's name may mean: itself where it holds a `/`, else one in each folder of
// the PATH in `env` (an empty folder is the current one).
std::vector<std::string> files_of(std::string_view program, std::span<const std::string> env);

// Return why no system can start this command: no argument, a NUL byte, a variable's name that is none.
std::optional<std::string> unfit(const Command& command);

// Return the environment of this process.
std::vector<std::string> own_environment();

}  // namespace gate::launch
