#include "app/baseline/candidate_judge.h"
#include "app/baseline/diff_pairs.h"
#include "app/baseline/diff_rows.h"
#include "app/suite/chosen_cases.h"
#include "gate/app/baseline.h"

namespace gate::app {

Answer<Diff> diff(const Suite& suite, const std::vector<std::string>& words, const std::string& run,
                  Environment& machine) {
  GATE_TRY(const std::vector<Pair> pairs, find_pairs(suite, words, run, machine));
  Diff diff;
  diff.report.gate_version = GATE_VERSION;
  diff.report.suite = suite.name;
  diff.report.command = "diff";
  diff.report.started = diff.report.finished = to_iso(machine.now());
  for (const Pair& pair : pairs) {
    if (pair.after.runs.empty()) continue;
    GATE_TRY(const config::Case spec, case_of(suite, pair.after.case_name));
    diff.report.cases.push_back(judge_candidate(spec, {pair.before, pair.before_files}, pair.after,
                                                diff.report.started.substr(0, 10)));
    add_rows(diff.rows, diff.report.cases.back(), with_derived(spec, pair.before, {}),
             with_derived(spec, make_reference(pair.after, ""), {}));
  }
  diff.report.exit_code = exit_code_of(diff.report);
  return diff;
}

}  // namespace gate::app
