// `gate compare A B`: two runs, logs or baselines side by side. It judges nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/judge/apart.h"
#include "gate/model/chart.h"

namespace gate::app {

// One metric and rank that both sides have.
struct ComparedSeries {
  std::string metric;
  std::optional<int> rank;
  std::string unit;
  std::string numbered;
  judge::Distance distance;
};

struct ComparedCase {
  std::string name;
  std::string verdict_a, verdict_b;    // of runs; "" else
  std::vector<ComparedSeries> series;  // by metric in the order of A, then by rank
  std::vector<std::string> only_a;     // series that B has not: `memory_allocated rank 3`
  std::vector<std::string> only_b;
  std::vector<Chart> charts;

  bool same() const;
};

struct Comparison {
  std::string a, b;  // what the words were taken for: `run 1121-0203`, `log train.log`
  std::vector<ComparedCase> cases;
  std::vector<std::string> only_a, only_b;  // cases
};

struct CompareOptions {
  std::string a, b;
  std::string case_name;  // of runs: this case alone
  std::string platform;   // of a case's baseline
};

// Return the comparison. A word is a file or folder (a run's folder or result.json, logs, a baseline or
// golden file), else the id of a run, else a case, whose baseline is meant. Two single cases are compared
// whatever their names; two runs case by case. Of several recorded runs the first counts. Fails (2) for a
// word that is none of these and for files that cannot be used, (3) where the sides have nothing in common.
Answer<Comparison> compare(const Suite& suite, const CompareOptions& options);

}  // namespace gate::app
