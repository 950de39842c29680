// Files that the scripts of other launches are writing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/tail.h"

namespace gate::launch {

struct OpenFile {
  FileIdentity identity;
  std::string writer;     // `pid 71 python train.py`
  std::string case_name;  // of the launch that the writer belongs to
};

// Return the regular files that processes of other launches than that of the cookie (GATE_LAUNCH), of any
// gate, have open for writing. A process that this user may not look at writes none; nor does one that has
// given up its environment.
std::vector<OpenFile> written_elsewhere(std::string_view cookie);

// Return the paths of the files of that name that processes have open, each once, sorted: of this user's
// processes, or of all for root. Of a process of another container or host nothing is seen.
std::vector<std::string> open_files_named(std::string_view name);

}  // namespace gate::launch
