// Which cases a change touches.
#pragma once

#include <set>
#include <string>

#include "gate/suite/suite.h"

namespace gate::app {

// Return the cases that are otherwise in the work tree, what is not committed included, than at the git ref:
// their script, a baseline, a setting or a rule, what [suite] says of all cases, or a file of their
// `depends`; among them those that only one of the two has.
Answer<std::set<std::string>> touched_since(const Suite& suite, const std::string& reference);

}  // namespace gate::app
