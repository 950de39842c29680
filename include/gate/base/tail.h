// Files that grow while they are read: logs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate {

// Which file stood under a name at a moment, and how much of it.
struct FileMark {
  std::uint64_t device = 0, inode = 0;  // 0: none stood there
  std::uintmax_t size = 0;
  std::string head, end;  // its first and last bytes, 4 KiB at most
};

FileMark mark_of(const fs::Path& path);

// Return that many bytes of a file from one on, or fewer where it ends before; "" where it cannot be read.
std::string bytes_at(const fs::Path& path, std::uintmax_t from, std::size_t count);

// Return from which byte on the file holds what was written since the mark: its size then where it has only
// grown; 0 where it is another file, or was truncated (it is shorter, or what stood at either end does not).
// A file that was truncated and then written with the very same bytes counts as one that has only grown.
std::uintmax_t written_since(const FileMark& mark, const fs::Path& path);

class Tail {
 public:
  using Take = std::function<void(std::string_view)>;
  enum class Change {
    none,
    truncated,  // the file was shorter than what had been read of it: read again from its start
    replaced,   // another file stands under the name: read from its start
    gone,       // no file stands under the name any more
  };

  // Read from the byte on.
  explicit Tail(fs::Path path, std::uintmax_t from = 0) : path_(std::move(path)), at_(from) {}
  Tail(Tail&& other) noexcept;
  Tail& operator=(Tail&&) = delete;
  ~Tail();

  // Call `take` with what has come since the last call, in blocks of at most 256 KiB. What is still there of
  // a file that was replaced is given before what is new; `on_change` is called between them. A file that is
  // not there yet is no error. Fails where it cannot be read, or is no regular file.
  Status read(const Take& take, const std::function<void(Change)>& on_change = {});

 private:
  Status open();
  Status read_open(const Take& take, const std::function<void(Change)>& on_change);
  bool is_another() const;
  void close();

  fs::Path path_;
  std::uintmax_t at_ = 0;
  int fd_ = -1;
  bool told_gone_ = false;
};

}  // namespace gate
