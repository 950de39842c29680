// `--strategy NAME`: the part of a suite that a strategy of its policy chooses.
#pragma once

#include <string>

#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Let choose() choose among the cases of the strategy alone. "" leaves the suite as it is. Fails (2) for a
// name that the policy does not have, words that select nothing, and a tag that no case has.
Answer<void> choose_strategy(Suite& suite, const std::string& name);

// Make the suite that of the strategy that was chosen, if one was: its outputs alone have rules and are asked
// for in its cases; stages that it leaves out are not done. Fails (2) for globs of outputs that match none of
// these cases' outputs, and where a case has outputs and none of them is judged.
Answer<void> take_strategy(Suite& suite);

}  // namespace gate::app
