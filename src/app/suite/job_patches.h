// The files that kubernetes.patch names.
#pragma once

#include <string>
#include <vector>

#include "gate/suite/suite.h"

namespace gate::app {

// Read them into the cases that name them. A file that is no patch makes its cases unreadable, and no other
// one; one that --set names is an error.
Answer<void> take_job_patches(Suite& suite);

// Return the paths of those that a commit may have, seen from the suite's folder.
std::vector<std::string> patch_paths(const Suite& suite);

}  // namespace gate::app
