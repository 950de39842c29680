// Which checks there will be, decided from rules and baseline before any value of a run is looked at.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/judge/judge.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/reports/report.h"
#include "gate/model/rules/rule.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"

namespace gate::judge {

// One check to be made.
struct RuleTarget {
  const Rule* rule = nullptr;
  Metric metric;
  // What it is judged against: one series; those of all ranks where the rule combines them; none where
  // constants need no baseline and there is none (the check is then one per series of the run).
  std::vector<const ReferenceSeries*> references;
  std::vector<std::optional<int>> ranks;  // of the references, or of the run's series

  bool open() const { return references.empty(); }
};

// A rule that makes no check.
struct Gap {
  Ungated entry;
  bool blocks = false;  // `strict` or `required` on the rule turn it into `unjudged`
  bool required = false;
  bool is_alternative = false;   // its rule is of a group
  bool is_incomparable = false;  // the baseline holds it; what it holds cannot be put beside the run's
  bool is_built_in = false;      // gate.toml says nothing of its rule
  bool is_unsaid = false;        // nobody misses the check: another rule is on the same metric
};

// Tell whether what the run lacks of the rule's metric is for another rule to say: of the end of a curve the
// one on its beginning, as long as gate.toml says nothing of the end.
bool leaves_gaps_to_others(const Rule& rule);

struct CheckPlan {
  std::vector<RuleTarget> targets;  // in the order of the rules
  std::vector<Gap> gaps;
};

// Return targets and gaps of all rules. `platform` is the run's; "" makes every baseline comparable.
CheckPlan make_plan(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
                    std::string_view platform);

// Return why the reference of a metric judges nothing, under any profile: the metric is compared on one
// platform only, and the reference is of another one than the run; or it is a speed of 0 throughout, in the
// run, too. None where it may judge.
std::optional<Remark> why_not_gated(const JudgeInput& input, const std::string& name);

// Tell whether the run has a value of the metric that is above 0, or no number.
bool has_speed(const Extraction& run, const std::string& metric);

// Return the targets that an open one makes of the run's series; the target itself, of no rank, where the run
// has none, which is then missing.
std::vector<RuleTarget> opened(const RuleTarget& target, const Extraction& run);

struct PlannedRules {
  std::vector<Rule> rules;  // that the targets point into
  CheckPlan plan;
};

// Return the plan of the input's rules, in which these are gaps too: rules of withheld metrics, and those
// whose baseline is not numbered as the metric is while the run's series is, which is incomparable. (Memory
// is by step in Megatron's golden values, and by report of a rank in its log.)
PlannedRules plan_for(const JudgeInput& input);

// Return what `strict`, or `required` on a rule, does not let pass ungated, for people; "" where there is
// nothing.
Sentence blocked_by(const CheckPlan& plan, Strict strict);

}  // namespace gate::judge
