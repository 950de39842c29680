// `gate baseline import --tree`: all golden files of a folder at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/model/imported.h"

namespace gate::app {

struct TreeOptions {
  fs::Path folder;
  std::string cases;                // a glob; "": all
  std::string platform;             // of the files that name none
  std::vector<std::int64_t> steps;  // of positions; none: 1..N, assumed
};

// Make a candidate of every golden file below the folder (*.json; what begins with a dot is left out): what
// can be imported is, and every other one is among the refused with its reason, so are folders that cannot be
// listed. Fails (2) where the folder cannot be listed or the glob chooses none of its cases, (3) where
// nothing is there to import.
Answer<TreeImport> import_tree(const Suite& suite, const TreeOptions& options, Moment now);

}  // namespace gate::app
