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

// By what cases are judged, beside gate.toml.
struct PolicyFlags {
  std::vector<std::string> set, env;
  std::vector<config::Override> flags;  // --timeout, --hang, ...: settings that are flags
  std::vector<std::string> patterns;
  std::string metrics_from, policy_from, strategy;
};

struct ReportWord {
  std::string kind, file;
};

// Where a report goes.
struct ReportFlags {
  std::vector<ReportWord> files;
  bool no_ci = false;
};

// How scripts are launched: run, ab, baseline record.
struct RunFlags {
  std::string out, changed_since, only, stages_folder;
  std::optional<int> max_failures, jobs;
  std::optional<Duration> deadline;
  std::optional<std::string> again, resume;
  std::optional<Shard> shard;
  int retry_infra = 0, confirm = 1, runs = 1;
  bool no_skip = false, nothing_ok = false;
};

// How logs are read: check, extract, compare.
struct LogFlags {
  std::string baseline, attempt;
  std::vector<std::string> phases, outputs, formats;
};

// baseline import, accept
struct CandidateFlags {
  std::string tree, steps, to;
  std::vector<std::string> despite;
  bool accept = false, common_shift = false;
};

struct HistoryFlags {
  std::size_t last = 200;
  std::string since, by;
  std::int64_t prune = 0;
  bool export_history = false, import_history = false;
};

struct AbFlags {
  int pairs = 10;
  std::optional<double> change;  // a share
};

struct ListFlags {
  std::string explain;
  bool coverage = false;
};

struct LintFlags {
  bool tolerances = false, write = false;
};

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
  bool json = false, version = false;

  // of commands that have nothing else in common
  std::string platform, environment, case_name, format = "text", reason, earlier_run;
  std::vector<std::string> tags, metrics, hosts;
  int determinism = 1;
  bool dry_run = false, bisect = false, shadow = false, follow = false, merge = false, now = false;

  PolicyFlags policy;
  ReportFlags reports;
  RunFlags run;
  LogFlags logs;
  CandidateFlags candidates;
  HistoryFlags history;
  AbFlags ab;
  ListFlags list;
  LintFlags lint;
  std::string man_pages;  // help

  // Return the overrides that --set, --env and the setting flags make, or the first word that is no
  // KEY=VALUE.
  Result<std::vector<config::Override>> overrides() const;
};

// What a command line asks for instead of a command: help, the version, or an error text and its exit code.
struct Early {
  int exit_code = 0;
  std::string text;
  bool is_help =
      false;  // of no word at all, which is no command: help, and an exit code that no CI takes for green
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
