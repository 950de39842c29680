// The files that the words of a command line mean by LOG.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"

namespace gate::app {

// Return the files in natural order, whatever the order of the words: a folder stands for the files below it
// but for those with a hidden name or in a hidden folder; `-` is standard input. Fails (2) for a folder that
// holds no such file, one that cannot be listed, and a file that is named twice.
Answer<std::vector<std::string>> log_files(const std::vector<std::string>& words);

}  // namespace gate::app
