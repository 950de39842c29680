// A descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "gate/base/result.h"

namespace gate::agent {

class HeldFile {
 public:
  explicit HeldFile(int fd = -1) : fd_(fd) {}
  HeldFile(HeldFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  HeldFile& operator=(HeldFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~HeldFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  // Return a path that leads to it, wherever it was moved since.
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

// Return what the system said last of the path, as a sentence.
inline tl::unexpected<Error> system_failure(const std::string& path, const std::string& what) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  return fail(path + ": cannot " + what + ": " + std::generic_category().message(errno) +
              (is_full ? "; GATE_AGENT_DIR there names another folder" : ""));
}

// Write all of the bytes into the file, from the offset on.
inline bool write_all(const HeldFile& file, std::string_view bytes, off_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file.fd(), bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += count;
  }
  return true;
}

}  // namespace gate::agent
