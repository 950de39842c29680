// What git knows of a folder, mostly read from its files.
#pragma once

#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/sentence.h"

namespace gate::app {

// Tell whether the text is a whole hash of a commit.
bool is_commit(std::string_view text);

// Return the nearest folder upwards that holds `.git`, or "".
fs::Path git_root(const fs::Path& folder);

// Tell whether the top of a git tree is a submodule of the tree around it. git is asked where its files do
// not tell; without its answer it is none.
bool is_submodule(const fs::Path& root);

// Return the commit that is checked out, 40 digits, or "" if that cannot be told.
std::string git_commit(const fs::Path& folder);

// Return that files which git tracks differ from the commit that is checked out, and which; "" where none
// does, or git does not tell.
Sentence uncommitted_words(const fs::Path& folder);

}  // namespace gate::app
