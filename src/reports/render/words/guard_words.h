// The list of what is guarded, as tables and lines.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/guard_list.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return the head and a row for each case. Columns that no case fills are left out.
enum class GuardColumns { all, without_features };
TextRows guard_rows(const GuardList& list, GuardColumns shown = GuardColumns::all);

// A column of the table for a README, and how many rows each of its cells spans: 0 where the cell above does.
struct MergedColumn {
  Sentence title;
  std::vector<Sentence> cells;
  std::vector<std::size_t> spans;
};

// Return tests, module, submodule (else the features), script, and what is gated of each case; cases of the
// same tests and module stand together.
std::vector<MergedColumn> guard_fragment(const GuardList& list);

// A list below the table: what its features or cases have in common.
struct GuardRemark {
  Sentence title;  // `no case uses 3 features`; of cases: what they use
  std::vector<Sentence> lines;
};

// Return those that hold anything.
std::vector<GuardRemark> guard_remarks(const GuardList& list);

// Return the features of each case that has any, `CASE: TP, PP; not told: EP (--expert-model-parallel-size
// $EP)`.
std::vector<Sentence> guard_feature_lines(const GuardList& list);

// Return `24 cases, 21 guard something; 96.5 device-minutes (3 cases without a duration)`.
Sentence guard_closing(const GuardList& list);

}  // namespace gate::render
