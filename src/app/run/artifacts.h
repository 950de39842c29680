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

// Where they are looked for.
struct Source {
  fs::Path cwd;
  fs::Path scratch;
  fs::FileTime since{};  // files last written before it are not the script's
};

// Copy the files that the globs select into the folder. A glob is seen from `cwd` and may begin with
// `{scratch}/`; `*` does not cross a `/`, `**` does, `..` is no way out. A file keeps its path below cwd or
// scratch. Links to files are followed; what is no regular file is left alone. What is there already is
// replaced.
Kept keep_artifacts(const std::vector<std::string>& globs, const Source& source, const fs::Path& into);

}  // namespace gate::app
