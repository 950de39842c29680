#include "gate/judge/lint.h"

#include <algorithm>
#include <array>

#include "gate/words/remarks.h"
#include "judge/lint/lint_rows.h"
#include "judge/rules/plan.h"
#include "judge/series/fold.h"

namespace gate::judge {

namespace {

struct Look {
  LintRow row;
  Flaws (*find)(const Inspected& inspected);
};

constexpr std::array<Look, 16> lint_table{{
    {{"no_script", Weight::weak, "a baseline that guards nothing", "remove it, or bring its script back"},
     no_script},
    {{"refused", Weight::weak, "the baseline does not pass its own rules",
      "record it again, or change the rule that gate explain shows"},
     does_not_pass},
    {{"not_guarded", Weight::weak, "rules are on for accuracy, speed or memory, and none applies",
      "record a run that prints it, or switch the rules off"},
     not_guarded},
    {{"not_recorded", Weight::weak, "a step without a number: nan, null, infinite or left out",
      "record it again"},
     not_recorded},
    {{"ended_early", Weight::weak, "shorter than its own log announced", "record a run that reaches its end"},
     ended_early},
    {{"few_values", Weight::weak, "the window asks for more values than there are",
      "record a longer run, or write the window that is meant"},
     few_values},
    {{"stall", Weight::weak, "a speed recorded during a stall: it lets slower runs pass",
      "record it again on a quiet host"},
     stalls},
    {{"warm_up", Weight::weak, "the first step, which warms up, is in a speed window",
      "write a window that leaves it out: last 10, after 5"},
     warm_up_in_window},
    {{"ranks", Weight::weak, "ranks do not agree in what they report",
      "look at the log that it was made from"},
     uneven_ranks},
    {{"all_zero", Weight::weak, "every value is 0", "record a run that measures it, or switch the rule off"},
     all_zero},
    {{"noisy", Weight::weak, "red for nothing in more than one of a hundred runs",
      "widen the tolerance, or record more runs: gate baseline record --runs 3"},
     noisy},
    {{"script_changed", Weight::weak, "the script is not the one that it was recorded from",
      "look at the change; record again"},
     script_changed},
    {{"old", Weight::weak, "recorded or accepted long ago", "record again, or accept it anew with a reason"},
     old},
    {{"not_accepted", Weight::note, "nobody accepted it: it was put there by hand",
      "gate baseline import FILE --accept --reason \"...\""},
     not_accepted},
    {{"assumed", Weight::note, "its file holds positions, taken as steps 1 to N",
      "gate baseline import a log that prints steps"},
     steps_assumed},
    {{"one_run", Weight::note, "the noise between runs is not known", "gate baseline record --runs 3"},
     noise_unknown},
}};

constexpr std::array<LintRow, lint_table.size()> make_lint_rows() {
  std::array<LintRow, lint_table.size()> rows;
  for (std::size_t i = 0; i < lint_table.size(); ++i) rows[i] = lint_table[i].row;
  return rows;
}

constexpr std::array<LintRow, lint_table.size()> lint_rows = make_lint_rows();

Inspected inspect(const LintQuestion& question, const Plan& plan) {
  Inspected inspected{question, plan, {}};
  for (const Target& target : plan.targets)
    if (!target.open()) inspected.checks.push_back({target, make_yardstick(target)});
  return inspected;
}

// Findings alike of many series are one.
void add_findings(std::vector<Finding>& findings, const LintRow& row, const Flaws& flaws) {
  std::vector<SeriesRemark> remarks;
  for (const Flaw& flaw : flaws) {
    if (flaw.metric.empty()) findings.push_back({&row, "", flaw.text});
    if (!flaw.metric.empty())
      remarks.push_back({flaw.metric, flaw.rank, Numbering::step, remark::Text{flaw.text}});
  }
  for (const Note& note : fold(remarks))
    findings.push_back({&row, words::subjects_text(note), words::text(note.remark)});
}

}  // namespace

std::span<const LintRow> lints() { return lint_rows; }

std::vector<Finding> lint(const LintQuestion& question) {
  const Guard& guard = question.guard;
  const Plan plan = make_plan(guard.rules, guard.metrics, guard.reference, guard.platform);
  const Inspected inspected = inspect(question, plan);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < lint_table.size(); ++i)
    add_findings(findings, lint_rows[i], lint_table[i].find(inspected));
  return findings;
}

std::int64_t Lint::count(Weight weight) const {
  std::int64_t count = 0;
  for (const LintCase& c : cases)
    count += std::count_if(c.findings.begin(), c.findings.end(),
                           [&](const Finding& finding) { return finding.row->weight == weight; });
  return count;
}

std::optional<double> Lint::false_red() const {
  std::vector<double> rates;
  for (const LintCase& c : cases)
    for (const Noise& noise : c.noise)
      if (noise.rate) rates.push_back(*noise.rate);
  return rates.empty() ? std::nullopt : std::optional(any_of(rates));
}

int Lint::exit_code() const {
  if (count(Weight::weak) > 0) return exit_code::regressed;
  const bool none =
      std::all_of(cases.begin(), cases.end(), [](const LintCase& c) { return !c.why_not.empty(); });
  return none ? exit_code::refused : exit_code::ok;
}

}  // namespace gate::judge
