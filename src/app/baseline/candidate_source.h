// Where candidates come from: .gate/candidates, or the series that a run left.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"

namespace gate::app {

// Return the suite's cases and those that have a candidate and no script, sorted by name.
std::vector<config::CaseScript> known_cases(const Suite& suite);

// Return the candidates of the cases that the words select (none: all that there are), of every
// platform, from the run where one is named. Fails (3) where there is none, (2) for words that select
// nothing.
Answer<std::vector<Baseline>> read_candidates(const Suite& suite, const std::vector<std::string>& words,
                                              const std::string& run);

}  // namespace gate::app
