// Files that grow while they are read: logs.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate {

// Which file stands under a name, whatever the name: also after it was renamed, and through links.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;  // 0: none
  std::int64_t born = 0;                // nanoseconds since 1970; 0 where the file system does not tell
  auto operator<=>(const FileIdentity&) const = default;
};

// What a name leads to at a moment; nothing is known of what is no regular file.
struct FileState {
  FileIdentity identity;
  std::uintmax_t size = 0;
  std::int64_t written = 0;  // the last time, nanoseconds since 1970
};

FileState state_of(const fs::Path& path);

// What a name led to at a moment, and what the file held at both ends.
struct FileMark {
  FileState state;
  std::string head, end;  // 4 KiB at most
};

FileMark mark_of(const fs::Path& path);

// Return that many bytes of a file from one on, or fewer where it ends before; "" where it cannot be read.
std::string bytes_at(const fs::Path& path, std::uintmax_t from, std::size_t count);

// Return from which byte on the file holds what was written since the mark: its size then where it has only
// grown; 0 where it is another file, or was truncated (it is shorter, or what stood at either end does not).
// A file that was truncated and then written with the very same bytes counts as one that has only grown. The
// name may be another one.
std::uintmax_t written_since(const FileMark& mark, const fs::Path& path);

class Tail {
 public:
  using Take = std::function<void(std::string_view)>;
  enum class Change {
    none,
    truncated,  // the file was shorter than what had been read of it: read anew
    replaced,   // another file stands under the name
    gone,       // no file stands under the name any more
  };

  // Return from which byte on a file is to be read that now stands under the name, or was truncated.
  using Start = std::function<std::uintmax_t(const fs::Path&)>;

  // Read each file that stands under the name from where `start` says: from its start without one.
  explicit Tail(fs::Path path, Start start = {}) : path_(std::move(path)), start_(std::move(start)) {}
  Tail(Tail&& other) noexcept;
  Tail& operator=(Tail&&) = delete;
  ~Tail();

  // Call `take` with what has come since the last call, in blocks of at most 256 KiB. What is still there of
  // a file that was replaced is given before what is new; `on_change` is called between them. A file that is
  // not there yet is no error. Fails where it cannot be read, or is no regular file.
  Status read(const Take& take, const std::function<void(Change)>& on_change = {});

  // Return which file was read last; none before.
  FileIdentity identity() const { return identity_; }

 private:
  Status open();
  Status read_open(const Take& take, const std::function<void(Change)>& on_change);
  bool is_another() const;
  void close();

  fs::Path path_;
  Start start_;
  FileIdentity identity_;
  std::uintmax_t at_ = 0;    // the next byte to read
  std::uintmax_t size_ = 0;  // what the file held at the last look
  int fd_ = -1;
  bool told_gone_ = false;
};

}  // namespace gate
