// What a tree would change of the policy that it is judged by, and a case that does not gate for a while.
#pragma once

#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::render {

// Return `judged by the policy of origin/main (3f2a1c7): 5 findings`; "" where the tree's own judged.
std::string policy_words(const Report& report);

// Return each finding in a line: `loosened  rules.lm_loss.tolerance  ±0.01 -> ±0.5  in a, b  gate.toml:3:13`.
std::vector<std::string> finding_lines_of(const Report& report);

// Return a line of these with all but its first word verbatim.
std::string finding_words(const std::string& line);

// Return `quarantined until 2026-12-31 by zhang: loss spikes on the new driver`; "" where the case gates.
std::string quarantine_words(const CaseReport& one);

// Return `2 quarantined (1 red)`; "" where there is none.
std::string quarantined_words(const Report& report);

}  // namespace gate::render
