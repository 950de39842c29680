// Files that a script left and that are to be kept.
#pragma once

#include <string>
#include <vector>

#include "gate/base/fs.h"

namespace gate::app {

struct Kept {
  int files = 0;
  std::vector<std::string> problems;  // a glob that nothing matches, a file that cannot be copied
};

// Copy the files that the globs select into the folder. A glob is seen from `cwd` and may begin with
// `{scratch}/`; `*` does not cross a `/`, `**` does. A file keeps its path below cwd or scratch. Links are
// followed; what is no regular file is left alone. What is there already is replaced.
Kept keep_artifacts(const std::vector<std::string>& globs, const fs::Path& cwd, const fs::Path& scratch,
                    const fs::Path& into);

}  // namespace gate::app
