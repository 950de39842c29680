// What a script needs to be there before it is started.
#pragma once

#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate::launch {

// Return `it needs a, which is not there`, `it needs a, b, which are not there`; of many the first fifty.
std::string lacking_words(const std::vector<std::string>& lacking);

// Fails with all of the paths that are not there, as this process sees them.
Status check_needs(const std::vector<std::string>& paths);

// Fail where the script holds something else than what was planned; "" is no script.
Status check_script(const std::string& path, const std::string& sha256);

}  // namespace gate::launch
