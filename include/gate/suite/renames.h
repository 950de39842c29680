// Baselines without a script, and the script that each may be of.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/suite/suite.h"

namespace gate::app {

// A case that has a baseline and no script, and a case that it may be called now.
struct Rename {
  std::string old_name;
  std::string new_name;  // "": none is like it
  Sentence why;          // for people: `scripts/b.sh is the script that it was recorded from`
  std::string command;   // of a shell, what moves its baselines there; "": nothing would be taken
};

// Return one for each baseline without a script, sorted by name. A script that has no baseline is it, in this
// order: where it is, to the byte, the one that the baseline was recorded from; where the names differ in
// `-`, `_` and case alone. Where neither is, `why` says what the path may mean: a platform that nobody
// declared, or scripts in another folder. The command is `gate baseline mv`, of a golden file of another tool
// `mv`; there is none for a file that cannot be read, where a file is in the way, or where an earlier command
// goes to the same case.
std::vector<Rename> find_renames(const Suite& suite);

// Return what to say of such a case: `no script; ...`, with what to do.
Sentence no_script_words(const std::vector<Rename>& renames, const std::string& case_name);

// Return the command of a shell that removes the case's baselines: `gate baseline rm`, or `rm` where gate
// would refuse, as it does of a file that it did not write.
std::string removal_of(const Suite& suite, const std::string& case_name);

}  // namespace gate::app
