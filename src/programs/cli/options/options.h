// The words of a command line, understood.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/syntax.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"
#include "gate/model/runs/shard.h"

namespace gate::cli {

struct CommandOptions {
  std::string command;  // `run`, `baseline accept`, ...; as in the table of commands
  std::vector<std::string> words;
  std::vector<std::string> script_args;  // behind the first `--`, where the command takes such
  std::vector<std::string> typed;        // the words before it, as they are
  std::vector<std::string> deciding;     // flags that decide, each as one word, `--confirm=3`: see FlagRole
  std::vector<std::string> where;        // likewise those that say where the suite lies; paths are absolute

  // every command
  std::string folder = ".";
  std::string config;
  int verbosity = 0;                     // -1 quiet, 1 verbose
  std::string color = "auto", language;  // language: en or zh; "": as the locale says
  bool json = false;

  // policy
  std::vector<std::string> set;
  std::vector<std::string> param;
  std::vector<std::string> env;
  std::vector<config::Override> flags;  // --timeout, --hang, ...: settings that are flags

  // single commands
  std::string platform, environment, case_name, baseline, out, junit, markdown, html, json_file, openmetrics,
      attempt, explain, format = "text", policy_from, changed_since, metrics_from, only, stages_folder,
                        strategy, source, journal;
  std::string reason, from, to, run, tree, steps, man_pages;
  std::vector<std::string> tags, phases, outputs, metrics, despite, formats, patterns, hosts;
  std::optional<int> max_failures, jobs;
  std::optional<std::string> again, resume;
  std::optional<Duration> deadline;
  std::optional<double> change;  // a share
  std::optional<Shard> shard;
  int retry_infra = 0, confirm = 1, determinism = 1, runs = 1, days = 180, pairs = 10;
  std::size_t threads = 0, last = 200;
  std::int64_t prune = 0;
  bool common_shift = false, no_skip = false, no_notify = false, dry_run = false, bisect = false, csv = false,
       coverage = false, accept = false, follow = false, shadow = false, watch = false,
       export_history = false, import_history = false, no_ci = false, now = false, no_wait = false,
       merge = false, recording = false, nothing_ok = false, replace = false;

  // Return the overrides that --set, --env, --param and the setting flags make, or the first word that is no
  // KEY=VALUE.
  Result<std::vector<config::Override>> overrides() const;
};

// What a command line asks for instead of a command: help, the version, or an error text and its exit code.
struct Early {
  int exit_code = 0;
  std::string text;
};

// Return the options, or what to print and exit with. CLI11 sees the words up to the first `--`; its errors
// become 2.
tl::expected<CommandOptions, Early> parse_options(int argc, const char* const* argv);

// Return the options of a run that goes on from an earlier one with these words: of its flags that decide,
// and of its ARGS behind `--`, those that the command line does not say itself. Fails where a word is a
// secret, which no run keeps (`***`).
tl::expected<CommandOptions, Early> with_words_of(const CommandOptions& options,
                                                  const std::vector<std::string>& earlier);

// Tell whether the command launches scripts.
bool launches(std::string_view command);

// Tell whether what stands behind `--` is no word of the command itself: of a script, or of another line.
bool takes_args(std::string_view command);

// Return what gate itself takes, under no name, and what each command takes, in the order of their table.
std::vector<CommandSyntax> command_syntax();

// Return the help text of the command; "" where there is none of that name.
std::string help_of_command(std::string_view name);

// Return the help text of every command, in the order of the table: for the manual.
std::string help_of_all_commands();

}  // namespace gate::cli
