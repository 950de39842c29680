#include "cli/options/commands.h"

#include <algorithm>
#include <array>

namespace gate::cli {

namespace {

constexpr std::array<CommandRow, 26> table{{
    {"run", "launch cases, extract, judge, report", launch_command},
    {"check", "judge logs that exist", check_command},
    {"score", "score a file of text, numbers or results beside a golden one", score_command},
    {"extract", "print the series in a log", extract_command},
    {"list", "print the cases, what they need and what guards them", list_command},
    {"devices", "print the accelerators, who holds them, and what is unhealthy or not idle", devices_command},
    {"baseline record", "run cases and write candidates, never baselines", launch_command},
    {"baseline import", "make candidates from a log or other tools' golden files", import_command},
    {"baseline diff", "compare candidates, a run or a git ref with the baselines", diff_command},
    {"baseline accept", "make candidates the baselines", accept_command},
    {"baseline list", "print baselines, where they hold and who accepted them", baselines_command},
    {"baseline mv", "rename a case's baselines, or put them to another place, with their chains",
     move_command},
    {"baseline rm", "remove baselines; what was removed is kept below .gate/removed", remove_command},
    {"baseline lint", "find weak, stale and inconsistent baselines", lint_command},
    {"reference", "print the published performance in references.json, or take over tables of it",
     reference_command},
    {"selftest", "prove that every rule of every case can fail", selftest_command},
    {"explain", "print the numbers, formula, limit and log lines behind a check", explain_command},
    {"status", "print what runs on this host are doing", status_command},
    {"stop", "end a run or a case that goes on, as TERM does, with who and why in its report", stop_command},
    {"report", "render a stored result", report_command},
    {"compare", "put two runs, logs or baselines side by side", compare_command},
    {"ab", "launch a case of two commits in turn: is the second one slower?", ab_command},
    {"history", "print the trend over runs: drift, changes, flakiness", history_command},
    {"init", "look at the folder and write a commented gate.toml", init_command},
    {"help", "explain a command, or a word such as tolerances, windows, verdicts", help_command},
    {"completion", "print what completes command lines of gate in a shell", completion_command},
}};

}  // namespace

std::span<const CommandRow> commands() { return table; }

}  // namespace gate::cli
