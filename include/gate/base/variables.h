// The process's own environment.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace gate {

// Return all variables of the process.
std::map<std::string, std::string> own_variables();

// Return the value of one; nothing where it is not set.
std::optional<std::string> variable_if_set(const char* name);

// Return the value of one; "" where it is not set.
std::string own_variable(const char* name);

}  // namespace gate
