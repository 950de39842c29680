// Files by their descriptors.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "gate/base/fd.h"
#include "gate/base/result.h"

namespace gate::agent {

// Return a path that leads to it, wherever it was moved since.
inline std::string path_of(const Fd& file) { return "/proc/self/fd/" + std::to_string(file.get()); }

// Return what the system said last of the path, as a sentence.
inline tl::unexpected<Error> system_failure(const std::string& path, const std::string& what) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  return fail(path + ": cannot " + what + ": " + std::generic_category().message(errno) +
              (is_full ? "; GATE_AGENT_DIR there names another folder" : ""));
}

// Write all of the bytes into the file, from the offset on.
inline bool write_all(const Fd& file, std::string_view bytes, off_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(file.get(), bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += count;
  }
  return true;
}

}  // namespace gate::agent
