// `--strategy NAME`: the part of a suite that a strategy of its policy chooses.
#pragma once

#include <string>

#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Make the suite that of the strategy: choose() chooses among its cases alone, and its outputs alone have
// rules and are asked for in these cases; stages that it leaves out are not done. "" leaves the suite as it
// is. Fails (2) for a name that the policy does not have, words that select nothing, a tag that no case has,
// globs of outputs that match none of these cases' outputs, and where a case has outputs and none of them is
// judged.
Answer<void> take_strategy(Suite& suite, const std::string& name);

}  // namespace gate::app
