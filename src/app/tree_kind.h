// What kind of tree a folder is.
#pragma once

#include <string>

#include "gate/base/fs.h"

namespace gate::app {

struct TreeKind {
  std::string doc;        // `a folder with scripts/`
  std::string scripts;    // the folder of scripts, with a slash at its end
  std::string baselines;  // path template; "": built-in
  std::string golden;     // the folder of golden files that are no baselines where they lie; ""
  std::string profile;    // where the kind decides it
};

// Return the first kind that the folder is, or nullptr.
const TreeKind* tree_kind(const fs::Path& folder);

// Return what the folders of the kinds are called, for messages.
std::string known_trees();

}  // namespace gate::app
