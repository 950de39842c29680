// The rules of a case: the built-in ones, and what the layers say of them and of others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "config/layers/layers.h"
#include "config/layers/metrics.h"
#include "gate/model/rules/rule.h"

namespace gate::config {

// Return the rule that the draft makes of the built-in one of its name, or of a new one.
Rule rule_of(const Draft& draft);

// Report what the drafts' keys mean together and must not: a metric that nobody knows, no tolerance, a
// direction that the metric does not have, max_misses with a reduce, half a waiver, a rule switched off that
// is none. Nothing is said of a broken draft, of one that is switched off, and of a lacking tolerance where
// `tolerance_elsewhere` holds the name.
void check_rules(const Drafts& drafts, const Metrics& metrics,
                 const std::set<std::string>& tolerance_elsewhere, Diagnostics& mistakes);

// Report built-in rules of which no draft speaks, and which do not fit what is declared of their metric.
void check_untouched_rules(const Drafts& drafts, const Metrics& metrics, Diagnostics& mistakes);

// Return the rules that are on: the built-in ones in their order, then the others in the order of their first
// mention. The one on the rest of a curve is off where the rule on its beginning is, and goes by its rank,
// attempt and waiver, as long as no layer speaks of it. A rule of a group that a layer speaks of is active in
// its own right, so it leaves the group unless it leads it.
std::vector<Rule> rules_of(const Drafts& drafts);

// Give each rule that chooses an attempt a metric of its own, `lm_loss@1`, which the table holds from then
// on. Return what such metrics are read from, each once.
std::vector<extract::AttemptMetric> choose_attempts(std::vector<Rule>& rules, MetricTable& table);

}  // namespace gate::config
