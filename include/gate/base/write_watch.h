// Files that a script writes once, and whoever writes one again replaces what it held: pytest's JUnit file.
#pragma once

#include <map>
#include <string>

#include "gate/base/fd.h"
#include "gate/base/fs.h"

namespace gate {

// Hears of each file that is closed by who wrote it, on this host (inotify), whose path begins so. Of one
// that is written a second time, the name is put into the file PREFIX.twice beside it. Where the system tells
// of nothing, there is none.
class WriteWatch {
 public:
  // The folder of the prefix is made. "": nothing is watched.
  explicit WriteWatch(fs::Path prefix);

  // Take what was written since the last call. To be called often: the system keeps little of it.
  void look();

 private:
  fs::Path prefix_;
  Fd events_;
  std::map<std::string, int> writes_;
};

}  // namespace gate
