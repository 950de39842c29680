// Who works in a run's folder.
//
// A lock on an open file is gone with its process, however that ends; so a run that was cut off is never
// taken for one that goes on.
#pragma once

#include <utility>

#include "gate/base/fd.h"
#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/time.h"

namespace gate::store {

class FolderLock {
 public:
  // Take the folder for this process: its file `lock` says who has it. Fails at once, with these words, where
  // another process has it.
  static Result<FolderLock> take(const fs::Path& folder, Moment since);

  // Take the folder itself, which is there, whatever links lead to it, and leave no file in it; where its
  // file system locks no folders (NFS), the file `lock` in the spare one. Wait for another process that has
  // it so long.
  static Result<FolderLock> wait(const fs::Path& folder, const fs::Path& spare, Duration longest);

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  Fd fd_;
};

// Tell whether a process has worked in the folder, or does.
bool was_taken(const fs::Path& folder);

// Tell whether a process works in the folder now.
bool is_taken(const fs::Path& folder);

}  // namespace gate::store
