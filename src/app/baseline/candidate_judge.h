// A candidate judged as if it were a run, against what a run would be judged against.
#pragma once

#include <string>

#include "app/judging/case_judge.h"

namespace gate::app {

// Return the report of the candidate's first run, its speed judged by the mean of all its runs.
CaseReport judge_candidate(const config::Case& spec, const JudgedAgainst& against, const Baseline& candidate,
                           const std::string& today);

}  // namespace gate::app
