#include "cli/options/commands.h"

#include <algorithm>
#include <array>

namespace gate::cli {

namespace {

constexpr std::array<CommandRow, 26> table{{
    {"run", "run cases and judge them", launch_command},
    {"check", "judge existing logs", check_command},
    {"score", "score a file against a golden file", score_command},
    {"extract", "print the series in a log", extract_command},
    {"list", "list cases, their needs and their rules", list_command},
    {"devices", "show devices: health, usage, owner", devices_command},
    {"baseline record", "run cases and write candidates", launch_command},
    {"baseline import", "import candidates from logs or golden files", import_command},
    {"baseline diff", "diff candidates, a run or a git ref against baselines", diff_command},
    {"baseline accept", "promote candidates to baselines", accept_command},
    {"baseline list", "list baselines, where they apply, who accepted them", baselines_command},
    {"baseline mv", "rename or move baselines, with their chains", move_command},
    {"baseline rm", "remove baselines; a copy is kept in .gate/removed", remove_command},
    {"baseline lint", "find weak, stale and inconsistent baselines", lint_command},
    {"reference", "print references.json, or import published performance tables into it", reference_command},
    {"selftest", "prove that every rule of every case can fail", selftest_command},
    {"explain", "print the numbers, formula, limit and log lines behind a check", explain_command},
    {"status", "show running runs of this host, and of this suite elsewhere", status_command},
    {"stop", "stop a running run or case (sends TERM; the report says who and why)", stop_command},
    {"report", "print or write the report of a run", report_command},
    {"compare", "diff runs, logs or baselines", compare_command},
    {"ab", "A/B-test a case on two commits: is the second slower?", ab_command},
    {"history", "show trends over runs: drift, changes, flakiness", history_command},
    {"init", "write a commented gate.toml for this folder, a log, or a command", init_command},
    {"help", "show help on a command or a topic such as tolerances", help_command},
    {"completion", "print a shell completion script", completion_command},
}};

}  // namespace

std::span<const CommandRow> commands() { return table; }

}  // namespace gate::cli
