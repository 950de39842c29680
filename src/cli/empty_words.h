// Words of a command line that say nothing.
#pragma once

#include <string>
#include <vector>

namespace gate::cli {

// An empty word, or list, means nothing anywhere. It is mostly an unset variable of a CI script, and must not
// pass for a word that was left out. Return what to say of the first one, "" where there is none.
std::string complain_of_empty(const std::vector<std::string>& words);

}  // namespace gate::cli
