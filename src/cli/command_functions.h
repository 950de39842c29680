// The functions behind the table of commands.
#pragma once

#include "cli/options.h"
#include "cli/terminal.h"
#include "gate/app/environment.h"
#include "gate/app/suite.h"

namespace gate::cli {

int run_command(const Options& options, Terminal& terminal);
int check_command(const Options& options, Terminal& terminal);
int extract_command(const Options& options, Terminal& terminal);
int list_command(const Options& options, Terminal& terminal);
int devices_command(const Options& options, Terminal& terminal);
int record_command(const Options& options, Terminal& terminal);
int import_command(const Options& options, Terminal& terminal);
int diff_command(const Options& options, Terminal& terminal);
int accept_command(const Options& options, Terminal& terminal);
int show_command(const Options& options, Terminal& terminal);
int lint_command(const Options& options, Terminal& terminal);
int selftest_command(const Options& options, Terminal& terminal);
int explain_command(const Options& options, Terminal& terminal);
int report_command(const Options& options, Terminal& terminal);
int compare_command(const Options& options, Terminal& terminal);
int history_command(const Options& options, Terminal& terminal);
int init_command(const Options& options, Terminal& terminal);
int manual_command(const Options& options, Terminal& terminal);

// Return the suite that the options mean.
app::Answer<app::Suite> suite_of(const Options& options);
app::Answer<app::Suite> suite_if_any(const Options& options);

// Return this machine, reporting through the sink.
app::Environment this_machine(app::Host& host, Sink sink);

// Return this host; its tools are asked no longer than GATE_TOOL_LIMIT says.
app::LocalHost this_host();

// Return the words of list options that also take commas.
std::vector<std::string> split_commas(const std::vector<std::string>& words);

}  // namespace gate::cli
