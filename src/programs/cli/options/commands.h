// The commands, as a table.
#pragma once

#include <span>
#include <string_view>

#include "cli/options/options.h"
#include "gate/suite/answer.h"

namespace gate::cli {

class Terminal;

// Does what the options say, and returns the exit code, or why nothing was done.
using CommandFunction = app::Answer<int>(const CommandOptions& options, Terminal& terminal);

CommandFunction launch_command, ab_command, check_command, extract_command;
CommandFunction list_command, score_command, lint_command, selftest_command, init_command, devices_command;
CommandFunction import_command, diff_command, accept_command, baselines_command, move_command, remove_command;
CommandFunction reference_command, status_command, stop_command;
CommandFunction explain_command, report_command, compare_command, history_command, completion_command,
    help_command;
CommandFunction version_command;  // of `gate --version -v`

// One command: its name, one line of doc, and the function that does it.
struct CommandRow {
  std::string_view name;
  std::string_view doc;
  CommandFunction* run;
};

std::span<const CommandRow> commands();

// What `gate baseline` holds.
inline constexpr std::string_view doc_of_baseline = "record, compare, accept and check baselines";

}  // namespace gate::cli
