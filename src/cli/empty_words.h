// Words of a command line that say nothing.
#pragma once

#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate::cli {

// An empty word, or list, means nothing anywhere. It is mostly an unset variable of a CI script, and must not
// pass for a word that was left out. Fail where there is one.
Status check_no_empty(const std::vector<std::string>& words);

}  // namespace gate::cli
