// Trends in words.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/reports/trend.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return `lm_loss`, `iteration_time  mean of last 10`, `memory_allocated  rank 3`.
Sentence name_of(const TrendKey& key);

// Return `+1.0 %`, or from and to where there is no share: the level before was 0.
std::string moved_words(const Change& change);

// Return a line for each change of the series, and where a dip is over none of its own:
// `+1.0 % since run 1121-0203 (2026-11-21, commit 9c1e2f4): 931.8 -> 941.2 ms, 4 x the noise`,
// `rises evenly, +0.1 % a run over 20 runs, +2 % in all, since run 1121-0203 (...): 931.8 -> 950.4 ms`,
// `slow from run 1121-0203 (...) to run 1123-0203 (...), recovered: +9 %, 931.8 -> 1016 ms`; then where it is
// now: `now 953.2 ms: +2.3 % against the first of 3 baselines (931.8 ms), +0.1 % against the present one`.
std::vector<Sentence> change_lines(const CaseTrend& trend, const Trend& one);

// Return `cpu  41 runs since 2026-11-22, green in 40 of 40 judged`.
Sentence summary_words(const CaseTrend& trend);

// Return `the verdict flipped in 2 of 38 runs that had commit, baseline and environment of one before`.
Sentence flips_words(const CaseTrend& trend);

// Return a line for each test that fails or once did, those that fail first:
// `tests/ut/test_rope.py::test_x[fp16]  fails since run 1121-0203 (2026-11-21, commit 9c1e2f4), red in 3 of
// 10`; of many the first ones and how many more there are.
std::vector<Sentence> test_words(const CaseTrend& trend);

// Return `run 1121-0203 (2026-11-21, commit 9c1e2f4)`.
Sentence run_words(const std::string& run, const std::string& started, const std::string& commit);

// Return `since run 1121-0203 (2026-11-21, commit 9c1e2f4 of 2026-11-20 "kernel: fuse"), 3 runs in a row`.
Sentence red_words(const CaseTrend& trend);

// Return `until run 1120-0203 (2026-11-20, commit ...)`, or that no run known was green; of what is red.
Sentence last_green_words(const CaseTrend& trend);

// Return a line for each change of what a case ran on but of its host alone, the latest ones: `image train:1
// -> train:2 in run 1121-0203 (2026-11-21, commit 9c1e2f4); the verdict changed with it`.
std::vector<Sentence> environment_words(const CaseTrend& trend);

// Where the suite moved as one.
struct SuiteMove {
  Sentence words;               // since when, or against what
  std::vector<Sentence> lines;  // how, a line a metric; empty: no metric moved with it
};
std::vector<SuiteMove> suite_moves(const SuiteTrend& suite);

// Return the table of the case's groups, its head first.
TextRows group_rows(const CaseTrend& trend, RunsBy by);

// Return of each kind the metric that is to be looked at: one that has changed, else the first that is no
// constant. Those that have changed come first.
std::vector<const Trend*> main_trends(const CaseTrend& trend);

// Tell whether all values of the series are the same.
bool is_constant(const Trend& trend);

// Return `memory_allocated  rank 3  mean of last 10  constant 20 GB`, of a series that is.
Sentence constant_words(const Trend& trend);

// Return the letter of a cell: G, D, R, `.` or `?`; and what the letters mean.
char heat_letter(HeatCell cell);
Sentence heat_legend();

}  // namespace gate::render
