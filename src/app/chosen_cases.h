// Which cases the words of a command choose where nothing is launched: those of the suite, and those that
// have a baseline and no script.
#pragma once

#include <string>
#include <vector>

#include "gate/app/suite.h"

namespace gate::app {

// Return the case of that name; one without a script has the rules that hold for no case in particular, and
// no `script`.
Answer<config::Case> case_of(const Suite& suite, const std::string& name);

// Return the cases that the words select as choose() does, sorted by name; also among those that have a
// baseline and no script.
Answer<std::vector<config::Case>> choose_judged(const Suite& suite, const std::vector<std::string>& words,
                                                const std::vector<std::string>& tags, const fs::Path& folder);

}  // namespace gate::app
