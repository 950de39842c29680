// Parts of a case, or of a run, that few have, in words: outputs and stages, how fast it was, another policy
// and a quarantine.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/render/reporters.h"

namespace gate::render {

// A line or number of an output beside the golden one. Both sides are safe to be shown, and of long lines the
// part around the first difference.
struct ShownDifference {
  Sentence title;  // `line 3, the first`
  std::string golden, actual;
};

// What there is to say of one score of an output.
struct ShownOutput {
  Sentence title;  // `answer.bleu: 12 of 40 lines differ; nrefs:1|...`
  std::vector<ShownDifference> differences;
};

// Return `init, download 3s, test 1m2s failed, report`: the stages that were done, with their time; "" of a
// case without.
Sentence stage_words(const CaseReport& report);

// Return what is worth showing of a case's outputs: scores with a difference, and files that are missing.
std::vector<ShownOutput> shown_outputs(const CaseReport& report);

// Return `4672 tokens/p/s (-1.2 % | reference 3850: 121 %)` of a case that is bound to a reference; "" of any
// other.
Sentence performance_words(const CaseReport& one);

// Return the table of what green cases were measured to do: a head and a row for each. Those that are bound
// to a reference come in the order of its table, then the others by name.
TextRows performance_rows(const Report& report);

// Return of what the table is, and what is left out of it.
std::vector<Sentence> performance_notes(const Report& report);

// Return `judged by the policy of origin/main (3f2a1c7): 5 findings`; "" where the tree's own judged.
Sentence policy_words(const Report& report);

// Return each finding in a line: `loosened  rules.lm_loss.tolerance  ±0.01 -> ±0.5  in a, b  gate.toml:3:13`.
std::vector<Sentence> finding_lines_of(const Report& report);

// Return `quarantined until 2026-12-31 by zhang: loss spikes on the new driver`; "" where the case gates.
Sentence quarantine_words(const CaseReport& one);

// Return `2 quarantined (1 red)`; "" where there is none.
Sentence quarantined_words(const Report& report);

}  // namespace gate::render
