// What `gate init --from` writes of the numbers of a log, as tables of gate.toml.
#pragma once

#include <string>
#include <vector>

#include "gate/config/proposal.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/guessed_metric.h"

namespace gate::config {

// A number that a log prints.
struct OwnMetric {
  GuessedMetric guess;
  std::string printed = {};  // its name in the log; "" without one
  std::string pattern = {};  // "": a format reads it
  Decimal last_digit = {};   // what one in the last printed digit is worth; 0: unknown
  double least = 0;          // of its finite values without their signs
  bool is_constant = false;
};

// Return [metrics.NAME] for each that has a pattern, and [rules.NAME] for each but those that tell how far a
// run is. What is guessed is marked beside it.
std::vector<ProposedTable> tables_of(const std::vector<OwnMetric>& metrics);

}  // namespace gate::config
