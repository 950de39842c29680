// `gate list`: cases, what they need, what guards them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/model/reports/guard_list.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct CaseListRow {
  std::string name;
  std::string script;
  Sentence needs;  // `8 devices, ascend-*`
  std::string timeout;
  std::string tags;
  Sentence baselines;   // `general`, `ascend-910b3, general`, `none`
  Sentence quarantine;  // `until 2026-12-31, zhang`, `ended ...`; "" where it gates
  Sentence after;       // the cases that it comes after
  Sentence skipped;     // why gate does not run it; "" where it does
  Sentence unreadable;  // why it is not judged: what of its file cannot be read; "" where all can
  Sentence unused;      // what is said for it and its profile does not use: `rules.lm_loss`; "": nothing
};

std::vector<CaseListRow> list(const Suite& suite, const std::vector<const config::Case*>& cases);

// The variants of a case: a column for each value of the first axis, a row for each choice of the others.
struct VariantGrid {
  std::string base;
  std::vector<std::string> columns;  // `1x8`, `TP=2`
  std::vector<std::string> rows;     // `TP=2,PP=1`; "" where there is one axis
  std::map<std::pair<std::string, std::string>, Sentence> baselines;  // of the variants: row, column
  int repeat = 1;
};

// Return the grids of the cases that are variants, in the order of the cases. `list` has a row for each case.
std::vector<VariantGrid> grids(const std::vector<const config::Case*>& cases,
                               const std::vector<CaseListRow>& list);

// Return what the cases guard. A metric is gated by a rule that is on, with a baseline series (of any
// platform) that a log can be judged by: one that is numbered otherwise than its metric guards no run.
// Features are told by the script, by the words that it is launched with and by the variables that gate gives
// it; durations by the history.
Answer<GuardList> guard_list(const Suite& suite, const std::vector<const config::Case*>& cases);

}  // namespace gate::app
