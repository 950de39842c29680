#include "net/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace gate::net {

namespace {

constexpr int first_free = 10;

int open_memory() {
  const int low = ::memfd_create("gate", MFD_CLOEXEC);
  if (low < 0) return -1;
  const int high = ::fcntl(low, F_DUPFD_CLOEXEC, first_free);
  ::close(low);
  return high;
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(open_memory()) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// Where the file is read is left at its beginning.
bool MemoryFile::fill(std::string_view content) {
  std::size_t written = 0;
  while (written < content.size()) {
    const std::string_view rest = content.substr(written);
    const ssize_t count = ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(written));
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return descriptor_ >= 0;
}

std::size_t MemoryFile::size() const {
  struct stat facts {};
  return ::fstat(descriptor_, &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : 0;
}

std::string MemoryFile::read(std::size_t most) const {
  std::string content(std::min(most, size()), '\0');
  const ssize_t count = ::pread(descriptor_, content.data(), content.size(), 0);
  content.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  return content;
}

}  // namespace gate::net
