// The git tree that a suite lies in, as it is sent to hosts.
#pragma once

#include <optional>
#include <vector>

#include "gate/base/fs.h"
#include "gate/hosts/sent_tree.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Return the path seen from the folder, `.` for itself; nothing where it does not lie there. Where its words
// do not tell, links are followed.
std::optional<fs::Path> path_below(const fs::Path& path, const fs::Path& folder);

// Return the files that git tracks in the tree around the folder, those of its submodules too, as they are
// now, and beside them the `further` ones. What is tracked and is not there is left out; a symbolic link that
// is tracked stays one. Fails where the folder lies in no git tree, git cannot be asked, or a file cannot be
// read.
Answer<hosts::Tree> read_git_tree(const fs::Path& folder, const std::vector<fs::Path>& further);

}  // namespace gate::app
