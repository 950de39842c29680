// Scripts that lie beside the cases, train, and are none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/sentence.h"

namespace gate::app {

// Return the shell scripts that have flags of a training and that none of the globs selects, sorted: those
// below the folder that holds the globs' own, `tests/st` of `tests/st/shell_scripts/*.sh`, where this is not
// `root` itself, and else those in `root`. A glob with `!` in front tells what is meant to be no case. What a
// case's script names is a part of that; a name with a part that begins with `_` or `.` is meant, too. Only
// so many files are looked at, and none in what a build or a package manager makes. `scripts` are those of
// the cases.
std::vector<std::string> scripts_beside(const fs::Path& root, std::span<const std::string> globs,
                                        std::span<const std::string> scripts);

// Return what to say of such a script: how it becomes a case, or is said to be none.
Sentence words_of_beside(const std::string& script);

}  // namespace gate::app
