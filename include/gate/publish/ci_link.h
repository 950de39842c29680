// Where the job that gate runs in can be seen.
#pragma once

#include <string>

namespace gate::publish {

// Return the environment variable, "" where it is not set.
std::string variable(const char* name);

// Return the address as GitHub, GitLab or Jenkins tell it in the environment; "" where none does.
std::string ci_link();

}  // namespace gate::publish
