// Trends in words.
#pragma once

#include <string>
#include <vector>

#include "gate/model/trend.h"

namespace gate::render {

// Return `lm_loss`, `iteration_time  mean of last 10`, `memory_allocated  rank 3`.
std::string name_of(const TrendKey& key);

// Return `+1.0 %`, or from and to where there is no share: the median before was 0.
std::string moved_words(const Change& change);

// Return `+1.0 % since run 1121-0203 (2026-11-21, commit 9c1e2f4): 931.8 -> 941.2 ms; Pettitt p 0.0004`.
std::string change_words(const Change& change, const CasePoint& run, const std::string& unit);

// Return `cpu  41 runs since 2026-11-22, green in 40 of 40 judged`.
std::string summary_words(const CaseTrend& trend);

// Return `the verdict flipped in 2 of 38 runs that had the commit and baseline of the run before`.
std::string flips_words(const CaseTrend& trend);

// Return `baseline +2.3 % since the first of 3: 931.8 -> 953.2 ms`; "" where it is still the first.
std::string baseline_words(const Trend& trend);

// Return a line for each test that fails or once did, those that fail first:
// `tests/ut/test_rope.py::test_x[fp16]  fails since run 1121-0203 (2026-11-21, commit 9c1e2f4), red in 3 of
// 10`; of many the first ones and how many more there are.
std::vector<std::string> test_words(const CaseTrend& trend);

}  // namespace gate::render
