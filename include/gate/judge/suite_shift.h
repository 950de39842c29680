// Where a suite moves as one: the changes of judge/trend.h in the median over its cases.
//
// A case's value at a run counts in percent of the median of all its values. The suite's value at a run is
// the median of these over the cases, of three or more: what one case does alone does not show in it, and
// what all do shows more clearly than in any of them. A change of these values is a shift of the suite. Runs
// are the units, for what moves a night's cases together is no sixty findings (decision 57).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gate/judge/trend.h"
#include "gate/judge/triage.h"

namespace gate::judge {

// The values of a case in one metric.
struct CaseValues {
  std::string case_name;
  std::string place;
  Tolerance tolerance;            // empty where it is not known
  std::vector<std::size_t> runs;  // numbers of the suite's runs, rising
  std::vector<double> values;     // beside them
};

struct SuiteShift {
  std::size_t run = 0;  // the number of the first run behind it
  double gain = 0;      // see Change
};

// Return the shifts of the suite, rising. `all` are of one metric and place.
std::vector<SuiteShift> suite_shifts(std::span<const CaseValues> all);

// Return how the cases moved from their medians over the runs [from, at) to those over [at, to).
Triage moves_at(const std::string& metric, std::span<const CaseValues> all, std::size_t from, std::size_t at,
                std::size_t to);

// Tell whether those together moved to one side more often than chance would have it (a sign test at the
// level 0.01; of fewer than eight cases all must).
bool is_one_sided(const Triage& triage);

// A shift of the suite as a case took part in it.
struct SharedShift {
  std::size_t run = 0;  // the number of the first run behind it
  double percent = 0;   // by which the suite moved
};

// Return the fit that is the case's own: that of its values with the shifts, rising, taken out. What is
// left of a shift within three runs of it is no change of the case's own.
LevelFit own_fit(const CaseValues& one, std::span<const SharedShift> shifts);

}  // namespace gate::judge
