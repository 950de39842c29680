// The commands, as a table, and what they share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/terminal.h"
#include "gate/places/environment.h"
#include "gate/suite/suite.h"

namespace gate::cli {

// Does what the options say, and returns the exit code, or why nothing was done.
using CommandFunction = app::Answer<int>(const CommandOptions& options, Terminal& terminal);

CommandFunction launch_command, ab_command, check_command, extract_command;
CommandFunction list_command, score_command, lint_command, selftest_command, init_command, devices_command;
CommandFunction import_command, diff_command, accept_command, show_command, baselines_command, move_command,
    remove_command;
CommandFunction import_references_command, references_command;
CommandFunction list_objects_command, get_object_command, put_object_command;
CommandFunction status_command, stop_command, worker_command, version_command;
CommandFunction explain_command, report_command, compare_command, history_command, manual_command,
    completion_command, help_command;

// One command: its name, one line of doc, and the function that does it.
struct CommandRow {
  std::string_view name;
  std::string_view doc;
  CommandFunction* run;
  bool is_translated = false;  // people read what it prints: in their language
};

std::span<const CommandRow> commands();

// Return the doc of `baseline`, `reference` or `object`, under which some of them are.
std::string_view doc_of_group(std::string_view group);

// Run the command that the options name, say why if it did nothing, and return the exit code.
int do_command(const CommandOptions& options, Terminal& terminal);

// A table for render, its first row the heads of the columns.
using TableRows = std::vector<std::vector<std::string>>;

// Return the rows as --json has them, else as a table.
std::string table_output(const TableRows& rows, const CommandOptions& options, const render::Style& style);

// Return the suite that the options mean.
app::Answer<app::Suite> suite_of(const CommandOptions& options);
app::Answer<app::Suite> suite_if_any(const CommandOptions& options);

// Return who runs gate: who accepts baselines.
std::string name_of_user();

// Return the environment of the host, reporting through the sink.
app::Environment environment_of(app::Host& host, Sink sink);

// How long a vendor's tool is waited for: GATE_TOOL_LIMIT, else 15 seconds.
Duration tool_limit();

// Return this host; its tools are asked no longer than GATE_TOOL_LIMIT says.
app::LocalHost this_host();

// Return the words of list options that also take commas.
std::vector<std::string> split_commas(const std::vector<std::string>& words);

}  // namespace gate::cli
