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
};

// Return one for each baseline without a script, sorted by name. A script that has no baseline is it, in this
// order: where it is, to the byte, the one that the baseline was recorded from; where the names differ in
// `-`, `_` and case alone. Where neither is, `why` says what the path may mean: a platform that nobody
// declared, or scripts in another folder.
std::vector<Rename> find_renames(const Suite& suite);

// Return what to say of such a case: `no script; ...`, with what to do.
Sentence no_script_words(const std::vector<Rename>& renames, const std::string& case_name);

}  // namespace gate::app
