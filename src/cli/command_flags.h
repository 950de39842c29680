// The words and flags that each command takes.
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace gate::cli {

// A setting that is a flag, and what was given for it.
struct SettingFlag {
  std::string key, name, value;
  std::vector<std::string> values = {};  // of a list, which takes commas and repetition
};
using SettingFlags = std::deque<SettingFlag>;  // which stay where they are: the parser writes into them

// Add the flags that every command has.
void add_global_flags(CLI::App& app, CommandOptions& options);

// Add what the command takes. The values of settings are in `flags` once the parse is done.
void add_command_flags(std::string_view command, CLI::App& app, CommandOptions& options, SettingFlags& flags);

}  // namespace gate::cli
