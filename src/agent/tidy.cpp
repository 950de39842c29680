#include "agent/tidy.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <string>
#include <vector>

namespace gate::agent {

namespace {

constexpr auto longest_unused = std::chrono::days(30);

// The paths in a folder that were last written or touched so long ago.
std::vector<fs::Path> unused_in(const fs::Path& folder) {
  std::vector<fs::Path> unused;
  std::error_code error;
  const fs::FileTime limit = fs::FileTime::clock::now() - longest_unused;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    const fs::FileTime written = it->last_write_time(unknown);
    if (!unknown && written < limit) unused.push_back(it->path());
  }
  return unused;
}

void delete_it(const fs::Path& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

void tidy_up(const fs::Path& folder, const fs::Path& own) {
  ::utimensat(AT_FDCWD, own.c_str(), nullptr, 0);
  for (const fs::Path& blob : unused_in(folder / "blobs")) delete_it(blob);
  for (const fs::Path& file : unused_in(folder))
    if (file.filename().string().starts_with("gate-agent-")) delete_it(file);
  for (const fs::Path& session : unused_in(folder / "sessions")) delete_it(session);
}

}  // namespace gate::agent
