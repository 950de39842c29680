// A git ref that judges in place of the tree, and what the tree and the command line would change of it.
#pragma once

#include "gate/suite/suite.h"

namespace gate::app {

// Return the source with its findings: those about the whole suite first, then rules and settings, #GATE
// lines, baselines, cases, words of the command line.
Answer<TrustedSource> trusted_source(Suite at_ref, Suite tree, const std::string& reference);

}  // namespace gate::app
