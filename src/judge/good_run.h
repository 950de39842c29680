// The run of a baseline that its own rules accept.
#pragma once

#include "gate/judge/selftest.h"
#include "judge/plan.h"

namespace gate::judge {

struct GoodRun {
  Extraction run;
  Judgement judgement;
};

// Ask the judge of a run that ended well. Waivers hold nothing.
Judgement ask(const Guard& guard, const Judge& judge, const Extraction& run, const Reference& reference);

// Return the first of the baseline's runs that passes, else the first one, with what the judge says of it.
GoodRun good_run(const Guard& guard, const Plan& plan, const Judge& judge);

// Return the check that the target made, or nullptr.
const Check* find_check(const Judgement& judgement, const Target& target);

}  // namespace gate::judge
