// Files as a process sees them, whose root another mount namespace may hold: every path, and every link on
// its way, begins at that root. What stands there is not trusted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "launch/fd.h"

namespace gate::launch {

class RootedFiles {
 public:
  // The root is a process's (/proc/PID/root), or a folder that stands for one. It is held open: what is read
  // later is below the same one, also when the process has ended. Where it cannot be opened nothing is there.
  explicit RootedFiles(const fs::Path& root);

  // Return the beginning of a regular file, at most so many bytes; "" where there is none that can be read.
  std::string read(const std::string& path, std::size_t most = std::size_t{64} << 10) const;

  // Return the names in a folder, sorted, of the first 20,000; none where it cannot be listed.
  std::vector<std::string> list(const std::string& path) const;

  // Tell whether a regular file is there that can be read.
  bool has(const std::string& path) const;

 private:
  Fd open(const std::string& path, int flags) const;

  Fd root_;
};

}  // namespace gate::launch
