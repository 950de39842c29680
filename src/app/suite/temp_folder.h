// A folder for its user alone that is gone with the value.
#pragma once

#include <sys/types.h>

#include "gate/base/fs.h"

namespace gate::app {

class TempFolder {
 public:
  static Result<TempFolder> make();
  TempFolder(TempFolder&& other) noexcept;
  TempFolder& operator=(TempFolder&&) = delete;
  ~TempFolder();

  const fs::Path& path() const { return path_; }

 private:
  explicit TempFolder(fs::Path path);

  fs::Path path_;
  pid_t owner_;  // a fork's copy removes nothing
};

}  // namespace gate::app
