// Files that the result of a case hangs on, besides its script and its baseline, as texts to be hashed.
#pragma once

#include <string>

#include "gate/suite/suite.h"

namespace gate::app {

// Return the files that the script reads in by `.` or `source`, and those that these read in, with what they
// hold. Where a path begins with what only a shell knows, it is looked for in the folder where the script
// starts, and in those of the reading file up to the suite's.
std::string sourced_text(const Suite& suite, const config::Case& spec, const std::string& script);

// Return the files of this host that the download stage brings: of large ones size and time, of others what
// they hold. Of objects their names alone.
std::string downloaded_text(const Suite& suite, const config::Case& spec);

}  // namespace gate::app
