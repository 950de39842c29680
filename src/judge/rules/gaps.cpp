#include "judge/rules/gaps.h"

#include <algorithm>
#include <set>

#include "gate/words/remarks.h"

namespace gate::judge {

namespace {

// Moves the rules of withheld metrics out of the rules and into gaps.
std::vector<Gap> withhold(std::vector<Rule>& rules, const JudgeInput& question) {
  std::vector<Gap> gaps;
  std::erase_if(rules, [&](const Rule& rule) {
    const auto withheld = question.withheld.find(rule.metric);
    if (withheld == question.withheld.end()) return false;
    gaps.push_back({{rule.metric, rule.name, withheld->second}, true, rule.required, false});
    return true;
  });
  return gaps;
}

Numbering baseline_numbering(const Target& target) {
  return target.references.front()->runs.front().numbered();
}

bool is_numbered_otherwise(const Target& target, const Extraction& run) {
  const Metric& metric = target.metric;
  if (target.open() || baseline_numbering(target) == metric.numbered) return false;
  return std::ranges::any_of(run.series, [&](const Series& series) {
    return series.metric() == metric.name && series.numbered() == metric.numbered;
  });
}

Remark other_numbering(const Target& target) {
  return remark::OtherNumbering{target.metric.numbered, baseline_numbering(target), target.rule->name};
}

void set_aside(Plan& plan, const Extraction& run) {
  std::set<const Rule*> told;
  std::erase_if(plan.targets, [&](const Target& target) {
    if (!is_numbered_otherwise(target, run)) return false;
    const Rule& rule = *target.rule;
    if (told.insert(&rule).second)
      plan.gaps.push_back(
          {{rule.metric, rule.name, other_numbering(target)}, true, rule.required, false, true});
    return true;
  });
}

}  // namespace

QuestionPlan plan_for(const JudgeInput& question) {
  QuestionPlan made{{question.rules.begin(), question.rules.end()}, {}};
  const std::vector<Gap> withheld = withhold(made.rules, question);
  made.plan = make_plan(made.rules, question.metrics, question.reference, question.platform);
  made.plan.gaps.insert(made.plan.gaps.end(), withheld.begin(), withheld.end());
  set_aside(made.plan, question.run);
  return made;
}

std::string blocked_by(const Plan& plan, Strict strict) {
  for (const Gap& gap : plan.gaps)
    if (gap.blocks && (strict == Strict::yes || gap.required))
      return gap.entry.metric + " is ungated: " + words::text(gap.entry.reason) +
             (gap.required ? " (required)" : " (strict)");
  return "";
}

}  // namespace gate::judge
