// The run side of one check: what is there, what is not, and what is there without being a number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gate/model/runs/extraction.h"
#include "gate/model/runs/remark.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"

namespace gate::judge {

// A printed step whose value is NaN, infinite or left out.
struct NonFiniteValue {
  const Series* series = nullptr;
  Sample sample;
};

struct RunCoverage {
  std::vector<const Series*> series;             // of the run, one per rank that it has
  std::vector<std::optional<int>> absent;        // ranks whose whole series is not in the run
  std::vector<std::int64_t> missing;             // numbers of the baseline that a series of the run lacks
  bool passed_over = false;                      // one of them lies before a number that the same series has
  std::vector<NonFiniteValue> non_finite;        // in the order of their numbers
  std::vector<std::int64_t> conflicts;           // judged numbers with different values
  std::vector<std::int64_t> beyond;              // numbers that the baseline does not have
  std::vector<std::optional<int>> beyond_ranks;  // of combined ranks: those that the target does not have

  bool complete() const { return absent.empty() && missing.empty(); }
  bool whole() const { return complete() && non_finite.empty() && conflicts.empty(); }
};

// Return the series of the run that belong to the target.
std::vector<const Series*> series_of(const RuleTarget& target, const Extraction& run);

// Return what the run holds of all that the baseline has: every number, within the window or not.
RunCoverage examine(const RuleTarget& target, const ReferenceWindow& reference, const Extraction& run);

// Tell whether a run must have that number of the series: it is recorded, and no mere repetition in a
// positional list (see run_coverage.cpp).
bool is_demanded(const ReferenceSeries& reference, std::int64_t number);

// Return what happened: the steps without a finite value, by kind, then what other metrics say of the first
// of them. Not for no values.
std::vector<Remark> causes_of(const std::vector<NonFiniteValue>& non_finite, const Extraction& run);

}  // namespace gate::judge
