// What kind of tree a folder is.
#pragma once

#include <string>
#include <vector>

#include "gate/base/fs.h"

namespace gate::app {

struct TreeKind {
  std::string doc;        // `a folder with scripts/`
  std::string scripts;    // the folder of scripts, with a slash at its end
  std::string baselines;  // path template; "": built-in
  std::string golden;     // the folder of golden files that are no baselines where they lie; ""
  std::string profile;    // where the kind decides it
};

// Return all kinds that the folder is, the one that gate init takes it for first.
std::vector<const TreeKind*> tree_kinds(const fs::Path& folder);

// Return the folders, with a slash at their ends, that may hold scripts, baselines or golden files of any
// kind and could not be listed.
std::vector<std::string> unread_places(const fs::Path& folder);

// Return what the folders of the kinds are called, for messages.
std::string known_trees();

}  // namespace gate::app
