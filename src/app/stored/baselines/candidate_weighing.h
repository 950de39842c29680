// Where candidates come from (.gate/candidates, or the series that a run left), and what one weighs against
// the baseline whose place it would take.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judge/noise.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/refusals.h"
#include "gate/stored/baseline.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return the suite's cases and those that have a candidate and no script, sorted by name.
std::vector<config::CaseScript> known_cases(const Suite& suite);

// Return the candidates of the cases that the words select (none: all that there are), of every
// platform, from the run where one is named. Fails (3) where there is none, (2) for words that select
// nothing.
Answer<std::vector<Baseline>> read_candidates(const Suite& suite, const std::vector<std::string>& words,
                                              const std::string& run);

// What accepting has to do with.
struct Accepting {
  const Suite& suite;
  const AcceptOptions& options;
  std::set<std::string> named;  // exactly
  Moment now;

  std::string today() const { return to_iso(now).substr(0, 10); }
};

// What lies too far from the first accepted baseline.
struct Drift {
  std::string metric;
  Sentence text;
};

// What stands in the place of a candidate, and what is said against the candidate.
struct Weighing {
  const Baseline* whole = nullptr;               // the candidate, which must outlive this
  Baseline candidate;                            // the metrics that are wanted of it
  store::BaselinePlace place;                    // where it is to go
  std::optional<store::BaselineFile> file = {};  // that stands there
  std::string numbers;                           // the platform that the fresh file says its numbers are of
  CaseReport report;                             // the candidate judged under the present rules
  Sentence red;                                  // what they call red
  std::optional<Drift> drift = {};               // how far it is from the first accepted baseline, if too far
  std::optional<FirstAccepted> first = {};       // that it is measured from
  bool has_first = false;                        // which is another one than the file in its place
  std::vector<judge::Noise> noise = {};          // of what is wanted of it, under the present rules
  std::vector<Refusal> standing = {};
  std::vector<std::string> despite = {};  // names of the refusals that were overridden

  const Baseline* present() const { return file ? &file->baseline : nullptr; }
};

// Tell whether the metric is among the names and globs; all are where there are none.
bool is_chosen(const std::vector<std::string>& metrics, const std::string& metric);

// Return what there is to say of the candidate beside the baselines of its place, most specific first. Fails
// where it holds nothing that is wanted, for a wrong --to, and where a general file would hold speeds of two
// platforms.
Answer<Weighing> weigh_candidate(const Accepting& accepting, const Baseline& whole,
                                 const std::vector<store::BaselineFile>& files);

// Return the first accepted baseline of what the file holds: that which it keeps, and for other metrics its
// own.
FirstAccepted first_of(const store::BaselineFile& file);

// Return what of the candidate lies farthest beyond `times` the tolerance from the first accepted baseline
// (of a file that keeps none, from its own runs); what is not red in `now`, if it is told, before what is.
std::optional<Drift> drift_of(const config::Case& spec, const store::BaselineFile& file,
                              const Baseline& candidate, const std::string& today, int times,
                              const CaseReport* now = nullptr);

// Tell whether the refusal does not hold: --despite names it, or it says of a candidate that moved with the
// rest that it is red, how far that takes it, or how noisy it is.
bool is_overridden(const Accepting& accepting, const Weighing& weighing, const Refusal& refusal);

// Take back the refusals that do not hold.
void override_refusals(const Accepting& accepting, Weighing& weighing);

}  // namespace gate::app
