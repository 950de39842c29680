// The process's own environment.
#pragma once

#include <map>
#include <string>

namespace gate {

// Return all variables of the process.
std::map<std::string, std::string> own_variables();

}  // namespace gate
