// What `gate init LOG` writes of the numbers of a log, as tables of gate.toml.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/config/proposal.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/guessed_metric.h"
#include "gate/model/rules/rule.h"

namespace gate::config {

// A number that a log prints.
struct OwnMetric {
  GuessedMetric guess;
  std::string printed = {};         // its name in the log; "" without one
  std::string pattern = {};         // "": a format, or a key, reads it
  std::string key = {};             // of JSON lines
  bool has_thousands = false;       // commas part them
  Decimal last_digit = {};          // what one in the last printed digit is worth; 0: unknown
  std::vector<double> values = {};  // of one rank, in their order, the finite ones
};

// A rule as gate.toml writes it.
struct OwnRule {
  std::string window, reduce, tolerance;
};

// Return the rule that fits the metric and its values: a loss is held at each step, a speed, a time and what
// nobody knows by a mean whose tolerance the noise between the lines bounds, what counts is exact. Nothing of
// what tells how far the run is, and of what varies so much that no rule would hold.
std::optional<OwnRule> rule_of(const OwnMetric& own);

// Return the rule as the judge takes it.
Rule judged_rule(const OwnMetric& own, const OwnRule& rule);

// Return [metrics.NAME] for each that has a pattern or a key, and [rules.NAME] for each that has a rule. What
// is guessed is marked beside it.
std::vector<ProposedTable> tables_of(const std::vector<OwnMetric>& metrics);

}  // namespace gate::config
