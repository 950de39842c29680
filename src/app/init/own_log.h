// What a log of one's own says of a first gate.toml.
#pragma once

#include <string>

#include "gate/app/answer.h"
#include "gate/config/proposal.h"

namespace gate::app {

// Add to the proposal metrics and rules for the numbers that the log's commonest step line prints, or that a
// format reads, and what to do next. `has_cases` tells whether there are scripts beside it. Fails (2) as
// read_logs does, and (3) where no line has a number with a name.
Answer<void> propose_own_log(const std::string& log, bool has_cases, config::Proposal& proposal);

}  // namespace gate::app
