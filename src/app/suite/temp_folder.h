// A folder for its user alone that is gone with the value. Of a process that split itself (launch::guard) it
// is gone with the first part that ends: that is the one that works, and the others wait for it.
#pragma once

#include <utility>

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
  explicit TempFolder(fs::Path path) : path_(std::move(path)) {}

  fs::Path path_;
};

}  // namespace gate::app
