// A candidate weighed against the baseline whose place it would take.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/judging/case_judge.h"
#include "gate/app/answer.h"
#include "gate/app/baseline.h"
#include "gate/app/suite.h"

namespace gate::app {

// What accepting has to do with.
struct Accepting {
  const Suite& suite;
  const AcceptOptions& options;
  std::set<std::string> named;  // exactly
  Moment now;
};

// What stands in the place of a candidate, and what is said against the candidate.
struct Weighing {
  Baseline candidate;                            // the metrics that are wanted of it
  std::string platform;                          // of the place
  std::optional<store::BaselineFile> file = {};  // that stands there
  std::string numbers;                           // the platform that the fresh file says its numbers are of
  std::string red;                               // what the present rules call red
  std::vector<Refusal> standing = {};
  std::vector<std::string> despite = {};  // names of the refusals that were overridden

  const Baseline* present() const { return file ? &file->baseline : nullptr; }
};

// Tell whether the metric is among the names and globs; all are where there are none.
bool is_chosen(const std::vector<std::string>& metrics, const std::string& metric);

// Return what there is to say of the candidate. Fails where it holds nothing that is wanted, files cannot be
// read, for a wrong --to, and where a general file would hold speeds of two platforms.
Answer<Weighing> weigh_candidate(const Accepting& accepting, const Baseline& whole);

// Judge the candidate as if it were a run, against what a run would be judged against. Return the report of
// its first run, its speed judged by the mean of all its runs.
CaseReport judge_candidate(const config::Case& spec, const JudgedAgainst& against, const Baseline& candidate,
                           const std::string& today);

}  // namespace gate::app
