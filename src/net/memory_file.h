// A file that has no name and is gone with its last descriptor: what a program is given, and what it writes.
#pragma once

#include <string>
#include <string_view>

namespace gate::net {

class MemoryFile {
 public:
  // Is empty. Where the system has no such file, none of what follows does anything.
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  // Above those that a program is started with, and not for any program; -1 where there is none.
  int descriptor() const { return descriptor_; }

  // Make this its content; who has its descriptor reads it from the beginning. Returns false where it cannot.
  bool fill(std::string_view content);

  std::size_t size() const;

  // Return its first bytes, at most so many.
  std::string read(std::size_t most) const;

 private:
  int descriptor_;
};

}  // namespace gate::net
