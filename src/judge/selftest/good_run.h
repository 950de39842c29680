// The run of a baseline that its own rules accept.
#pragma once

#include "gate/judge/selftest.h"
#include "judge/rules/plan.h"

namespace gate::judge {

struct GoodRun {
  Extraction run;
  Judgement judgement;
  bool tells_attempts = false;  // a log of it would show where the next attempt begins
};

// Ask the judge of a run that ended well. Waivers hold nothing.
Judgement ask(const Guard& guard, const Judge& judge, const Extraction& run, const Reference& reference);

// Return the first of the baseline's runs that passes, else the first one, with what the judge says of it.
GoodRun good_run(const Guard& guard, const Plan& plan, const Judge& judge);

// Tell whether a log of one attempt says the same as the run, and would show where the next one begins.
bool tells_attempts(const Guard& guard, const Extraction& run);

// Return the check that the target made, or nullptr.
const Check* find_check(const Judgement& judgement, const Target& target);

}  // namespace gate::judge
