#include "app/case_judge.h"
#include "app/chosen_cases.h"
#include "app/diff_pairs.h"
#include "app/diff_rows.h"
#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"

namespace gate::app {

namespace {

// The candidate's first run is judged, its speed by the mean of all.
CaseReport judge_pair(const config::Case& the_case, const Pair& pair, const std::string& today) {
  const std::vector<Extraction> runs = as_extractions(pair.after, "candidate");
  std::vector<const Extraction*> further;
  for (std::size_t i = 1; i < runs.size(); ++i) further.push_back(&runs[i]);
  return judge_case(the_case, {pair.before, pair.before_files}, runs.front(), std::nullopt,
                    pair.after.platform, today, {}, further);
}

}  // namespace

Answer<Diff> diff(const Suite& suite, const std::vector<std::string>& words, const std::string& run,
                  Machine& machine) {
  const Answer<std::vector<Pair>> pairs = find_pairs(suite, words, run, machine);
  if (!pairs) return tl::unexpected(pairs.error());
  Diff diff;
  diff.report.gate_version = GATE_VERSION;
  diff.report.suite = suite.name;
  diff.report.command = "diff";
  diff.report.started = diff.report.finished = to_iso(machine.now());
  for (const Pair& pair : *pairs) {
    if (pair.after.runs.empty()) continue;
    const Answer<config::Case> the_case = case_of(suite, pair.after.case_name);
    if (!the_case) return tl::unexpected(the_case.error());
    diff.report.cases.push_back(judge_pair(*the_case, pair, diff.report.started.substr(0, 10)));
    add_rows(diff.rows, diff.report.cases.back(), with_derived(*the_case, pair.before, {}),
             with_derived(*the_case, make_reference(pair.after, ""), {}));
  }
  diff.report.exit_code = exit_code_of(diff.report);
  return diff;
}

}  // namespace gate::app
