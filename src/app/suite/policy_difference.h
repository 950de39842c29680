// Two states of a suite, such as a git ref and the work tree, put side by side: what is judged otherwise.
#pragma once

#include <string>
#include <vector>

#include "gate/suite/suite.h"

namespace gate::app {

// A key that is not the same; "" on the side that does not have it.
struct KeyDifference {
  std::string key;  // `rules.lm_loss.tolerance`, `timeout`, `suite.launch`
  std::string before, after;
  std::string where;  // of what is after
};

// Return the keys of [suite], [platforms], [peaks] and [jsonl] that decide what is judged, and how.
std::vector<KeyDifference> suite_differences(const Suite& before, const Suite& after);

// Return the #GATE lines of a script that both have.
Answer<std::vector<KeyDifference>> header_differences(const Suite& before, const Suite& after,
                                                      const std::string& case_name);

// Return the settings, rules and metrics of a case of `after`, without what a command line says. Where only
// `after` has its script, its #GATE lines are on both sides.
Answer<std::vector<KeyDifference>> case_differences(const Suite& before, const Suite& after,
                                                    const std::string& case_name);

struct BaselineDifference {
  std::string path;
  std::string case_name;
  PolicyShift shift = PolicyShift::changed;  // or added, or removed
  std::string moved;                         // of a changed one: see moved_values()
};

// Return the baseline files, and the golden files of outputs, that are not the same, sorted by path.
std::vector<BaselineDifference> baseline_differences(const Suite& before, const Suite& after);

// Return the script of that case, or nullptr.
const config::CaseScript* script_of(const std::vector<config::CaseScript>& found,
                                    const std::string& case_name);

}  // namespace gate::app
