// What a job means in the words of execve.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/launch/runner.h"

namespace gate::launch {

struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> env;    // NAME=VALUE
  std::vector<std::string> files;  // to execute: the first that is there
  std::string cwd;                 // "": gate's own
};

// Return the job's script, or its setup text under `bash -c`, as a command. `inherited` is gate's own
// environment.
Command script_command(const Job& job, std::span<const std::string> inherited);
Command setup_command(const Job& job, std::span<const std::string> inherited);

// Return GATE_LAUNCH, the job's variables, and what is inherited and not set by them.
std::vector<std::string> environment(const Job& job, std::span<const std::string> inherited);

// Return the files that a program's name may mean: itself where it holds a `/`, else one in each folder of
// the PATH in `env` (an empty folder is the current one).
std::vector<std::string> files_of(std::string_view program, std::span<const std::string> env);

// Return why no system can start this job: no argument, a NUL byte, a variable's name that is none.
std::optional<std::string> unfit(const Job& job);

// Return the environment of this process.
std::vector<std::string> own_environment();

}  // namespace gate::launch
