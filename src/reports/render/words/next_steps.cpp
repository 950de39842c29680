#include "render/words/next_steps.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/judge/triage.h"
#include "gate/model/runs/fingerprint.h"
#include "render/words/red_cases.h"
#include "render/words/shared_lines.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

using namespace std::string_view_literals;

// A word of a shell command. One that cannot be shown as it is becomes bash's $'...'.
std::string pasteable(const std::string& word) {
  if (inert(safe(word)) == word) return shell_quote(word);
  std::string escaped;
  for (const char c : word) escaped += c == '\\' || c == '\'' ? std::string("\\") + c : std::string(1, c);
  return "$'" + inert(safe(escaped)) + "'";
}

// Return the command, said where the suite of the run lies.
std::string command_at(const Report& report, const std::string& command) {
  std::string text = "gate ";
  for (const std::string& word : report.where) text += pasteable(word) + " ";
  return text + command;
}

// Return the command about the run. What decides the run has kept itself.
std::string command_on(const Report& report, const std::string& command) {
  return command_at(report, command + " " + pasteable(report.run));
}

std::vector<std::string> failed_metrics(const CaseReport& one) {
  std::vector<std::string> metrics;
  for (const Check& check : one.checks) {
    const bool known = std::ranges::find(metrics, check.metric) != metrics.end();
    // What is derived is in no baseline, another phase than the first one is not judged against any, and
    // constants hold whatever the baseline says.
    const bool stored = check.formula.empty() && !check.test && check.phase.empty() &&
                        (check.tolerance.any_of.empty() || needs_baseline(check.tolerance));
    if (check.status == CheckStatus::fail && stored && !known) metrics.push_back(check.metric);
  }
  return metrics;
}

// Tell whether the case was not judged since there is nothing to judge it against. No baseline has a golden
// file, or an exit code.
bool lacks_baseline(const CaseReport& one) {
  return one.verdict == Verdict::unjudged && one.baselines.empty() && one.steps > 0 && one.outputs.empty() &&
         std::ranges::find(one.checks, "exit", &Check::metric) == one.checks.end();
}

// What one run takes the place of several needs a word more.
std::string despite_words(bool has_fewer_runs) { return has_fewer_runs ? " --despite fewer_runs" : ""; }

bool has_several_runs(const CaseReport& one) {
  return std::ranges::any_of(one.baselines, [](const BaselineUsed& used) { return used.runs > 1; });
}

// Numbers of another determinism stand beside none of before: the baseline is replaced as a whole.
bool has_other_determinism(const CaseReport& one) {
  return std::ranges::any_of(one.differs, [](const FactChange& difference) {
    const auto row = std::ranges::find(switch_rows(), difference.name, &SwitchRow::name);
    return row != switch_rows().end() && row->kind == SwitchKind::determinism;
  });
}

std::string accept_command(const Report& report, const CaseReport& one) {
  const bool plain_run =
      report.command == "run" && report.set.empty() && one.args.empty() && !report.rehearsal;
  if (!plain_run || report.run.empty() || !one.has_ended_well()) return "";
  const std::vector<std::string> failed = failed_metrics(one);
  const bool finite = std::ranges::none_of(one.checks, [](const Check& check) {
    return check.status == CheckStatus::missing ||
           (check.status == CheckStatus::fail && check.has_no_number());
  });
  const bool first_one = lacks_baseline(one);
  if (!first_one && (one.verdict != Verdict::regressed || !finite || failed.empty())) return "";
  const bool is_whole = first_one || has_other_determinism(one);
  const std::string metrics = is_whole ? "" : " --metric " + pasteable(join(failed, ","));
  return command_on(report, "baseline accept " + pasteable(one.name) + " --run") + metrics +
         despite_words(!first_one && has_several_runs(one)) + " --reason \"...\"";
}

// How a log that was checked becomes the first baseline of its case.
std::string import_command(const Report& report, const CaseReport& one) {
  const auto log = one.artifacts.find("log");
  if (report.command != "check" || !lacks_baseline(one) || log == one.artifacts.end() || log->second == "-")
    return "";
  const auto flag = [](const char* name, const std::string& value) {
    return value.empty() ? "" : name + pasteable(value);
  };
  return command_at(report, "baseline import " + pasteable(log->second) + " --case " + pasteable(one.name)) +
         flag(" --platform ", one.platform) + flag(" --environment ", one.environment) +
         " --accept --reason \"...\"";
}

// What of the differences from the baseline's run a gate is there to judge; what else differs is the
// environment, which the code is not to blame for.
constexpr std::array of_code{script_fact, "commit"sv, "gate"sv, args_fact, set_fact};

bool is_of_code(const FactChange& difference) {
  return is_of_setup(difference) || std::ranges::find(of_code, difference.name) != of_code.end();
}

// Tell whether `accept --common-shift` would take the case's numbers.
bool is_taken(const Triage& triage, const CaseReport& one) {
  const bool has_words = std::ranges::any_of(one.differs, [](const FactChange& difference) {
    return difference.name == args_fact || difference.name == set_fact;
  });
  const bool is_judged = one.verdict == Verdict::passed || one.verdict == Verdict::regressed;
  return is_judged && one.has_ended_well() && !one.baselines.empty() && !has_words && one.args.empty() &&
         moved_with_suite(triage, one);
}

// Offered where the suite moved, the code alone is not what changed, and it would be taken: what moved with
// the rest, and nothing else.
std::string shift_command(const Report& report) {
  if (!report.set.empty() || report.policy || report.rehearsal) return "";
  const Triage triage = judge::triage(report.cases);
  const bool has_moved = std::ranges::any_of(triage.metrics, &MetricTriage::is_shift);
  bool is_red_one = false, is_any_taken = false, has_fewer_runs = false;
  std::size_t differences = 0, of_the_code = 0;
  for (const CaseReport& one : report.cases) {
    is_red_one |= is_red(one);
    if (!is_taken(triage, one)) continue;
    is_any_taken = true;
    differences += one.differs.size();
    of_the_code += static_cast<std::size_t>(std::ranges::count_if(one.differs, is_of_code));
    has_fewer_runs |= has_several_runs(one);
  }
  const bool is_code_alone = of_the_code > 0 && of_the_code == differences;
  if (!has_moved || !is_red_one || !is_any_taken || is_code_alone) return "";
  return command_on(report, "baseline accept --run") + " --common-shift" + despite_words(has_fewer_runs) +
         " --reason \"...\"";
}

}  // namespace

Sentence NextStep::word() const {
  switch (step) {
    case Step::look:
      return say({"look", "查看"});
    case Step::accept:
      return say({"accept", "接受"});
    case Step::record:
      return say({"record", "录制"});
    case Step::log:
      return say({"log", "日志"});
    case Step::evidence:
      return say({"evidence", "现场记录"});
    case Step::resume:
      return say({"resume", "继续"});
    case Step::shift:
      return say({"shift", "整体偏移"});
    case Step::rerun:
      return say({"rerun", "重跑"});
  }
  return {};
}

std::vector<NextStep> next_steps(const Report& report, const CaseReport& one) {
  std::vector<NextStep> steps;
  if (!report.run.empty() && (!one.checks.empty() || one.cause))
    steps.push_back({Step::look, command_on(report, "explain " + pasteable(one.name) + " --run")});
  if (const std::string accept = accept_command(report, one); !accept.empty())
    steps.push_back({Step::accept, accept});
  else if (const std::string import = import_command(report, one); !import.empty())
    steps.push_back({Step::accept, import});
  else if (report.command == "run" && !report.rehearsal && lacks_baseline(one) && one.has_ended_well())
    steps.push_back({Step::record, command_at(report, "baseline record " + pasteable(one.name))});
  std::vector<std::pair<std::string, std::string>> logs;
  for (const auto& artifact : one.artifacts)
    if (artifact.first == "log" || artifact.first.starts_with("log_node")) logs.push_back(artifact);
  std::ranges::sort(logs, natural_less, [](const auto& log) { return std::string_view(log.first); });
  for (const auto& [name, path] : logs) steps.push_back({Step::log, pasteable(path)});
  for (const std::string& evidence : evidence_of(one)) steps.push_back({Step::evidence, evidence});
  return steps;
}

std::vector<std::string> evidence_of(const CaseReport& one) {
  std::vector<std::string> words;
  for (const auto& [name, path] : one.artifacts)
    if (name == "evidence" || name.starts_with("evidence-")) words.push_back(pasteable(path));
  return words;
}

std::vector<NextStep> next_steps(const Report& report) {
  if (report.command != "run" || report.run.empty()) return {};
  const auto is_left = [](const CaseReport& one) { return !one.quarantine && !has_finished(one); };
  std::vector<NextStep> steps;
  if (std::ranges::any_of(report.cases, is_left))
    steps.push_back({Step::resume, command_on(report, "run --resume")});
  if (const std::string shift = shift_command(report); !shift.empty()) steps.push_back({Step::shift, shift});
  if (std::ranges::any_of(report.cases, [](const CaseReport& one) { return is_red(one); }))
    steps.push_back({Step::rerun, command_on(report, "run --again")});
  return steps;
}

}  // namespace gate::render
