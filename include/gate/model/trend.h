// What a case's metrics do over many runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/history.h"

namespace gate {

// Values before `at` and from `at` on differ.
struct Change {
  std::size_t at = 0;  // index of the first value behind it
  double before = 0;   // medians, from the change before it and up to the next one
  double after = 0;
  double chance = 1;  // of a change as clear where there is none, by Pettitt's test

  // Return by how much the median moved, as a share of the one before; nothing where that is 0.
  std::optional<double> share() const;
};

// How often a verdict changed from one run to the next though nothing else did.
struct Flips {
  std::size_t pairs = 0;  // of runs that follow one another
  std::size_t flips = 0;  // of which one was green and one was not
};

// One series over the runs that count: those of `gate run` without ARGS and --set.
struct Trend {
  TrendKey key;
  std::string tolerance;
  std::vector<std::size_t> runs;                        // indices into CaseHistory::runs, rising
  std::vector<double> values;                           // beside them
  std::vector<std::optional<double>> baselines_beside;  // those that they were judged against
  std::vector<Change> changes;
  std::optional<double> first_baseline;  // the one of the first of the runs
  std::optional<double> baseline;        // the one of the last
  std::size_t baselines = 0;             // how many there were one after the other
};

// How the runs on one host went.
struct HostCount {
  std::string host;
  std::size_t runs = 0;
  std::size_t red = 0;
};

// A test of pytest's over the runs that count.
struct TestTrend {
  std::string name;
  CheckStatus status = CheckStatus::pass;  // in the last run that it was in
  std::size_t since = 0;  // index into CaseHistory::runs: from there on it passes, or does not
  std::size_t runs = 0;   // in which it ran
  std::size_t red = 0;    // of these, in which it failed or could not be run
};

struct CaseTrend {
  CaseHistory history;
  std::size_t counted = 0;  // runs that were judged
  std::size_t green = 0;
  Flips flips;
  std::vector<HostCount> hosts;  // by name
  std::vector<Trend> trends;     // by key
  std::vector<TestTrend> tests;  // of the last run, by name
};

}  // namespace gate
