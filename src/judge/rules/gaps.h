// Rules that make no check of a run.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/judge.h"
#include "judge/rules/plan.h"

namespace gate::judge {

struct QuestionPlan {
  std::vector<Rule> rules;  // that the targets point into
  Plan plan;
};

// Return the plan of the question's rules, in which these are gaps too: rules of withheld metrics, and those
// whose baseline is not numbered as the metric is while the run's series is, which is incomparable. (Memory
// is by step in Megatron's golden values, and by report of a rank in its log.)
QuestionPlan plan_for(const JudgeInput& question);

// Return what `strict`, or `required` on a rule, does not let pass ungated, for people; "" where there is
// nothing.
std::string blocked_by(const Plan& plan, Strict strict);

}  // namespace gate::judge
