// From checks and the way the script ended to a verdict.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/judge.h"
#include "judge/rules/progress.h"

namespace gate::judge {

struct Decision {
  Verdict verdict = Verdict::unjudged;
  std::string reason;
};

// Return how far the run came of what its log announces. Not for a run that came so far.
remark::ShortOfAnnounced short_of_announced(const Progress& course);

// Return the first verdict of `verdicts()` that applies, and why. `blocked`: what `strict` or `required` does
// not let pass ungated, for people; "" where there is nothing. `cause`: what the log blames, or nullptr.
Decision rule_on(const JudgeInput& question, const Progress& course, const std::vector<Check>& checks,
                 const std::string& blocked, const KnownMessage* cause);

}  // namespace gate::judge
