// The commands, as a table: name, one line of doc, and the function that does it.
#pragma once

#include <span>
#include <string_view>

#include "cli/options.h"
#include "cli/terminal.h"

namespace gate::cli {

struct CommandRow {
  std::string_view name;
  std::string_view doc;
  int (*run)(const Options& options, Terminal& terminal);  // returns the exit code
};

std::span<const CommandRow> commands();

}  // namespace gate::cli
