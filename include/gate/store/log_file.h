// The raw log of a launch, written behind the back of the one who reads the script's output.
#pragma once

#include <memory>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate::store {

// Appends to a file in a thread of its own, at most 50 ms late: a slow disk holds nobody up until 256 MiB
// wait for it, and then the script is held back rather than a byte lost. After a write error nothing more is
// written.
class LogFile {
 public:
  static Result<LogFile> create(const fs::Path& path);

  LogFile(LogFile&&) noexcept;
  LogFile& operator=(LogFile&&) noexcept;
  ~LogFile();  // writes what is left

  void append(std::string_view bytes);

  // Fail once a write has failed, with the path, the reason and how many bytes are in the file.
  Status status() const;

  // Wait until all is written, close the file, and return the status. Nothing may be appended after it.
  Status close();

 private:
  class Writer;
  explicit LogFile(std::unique_ptr<Writer> writer);
  std::unique_ptr<Writer> writer_;
};

}  // namespace gate::store
