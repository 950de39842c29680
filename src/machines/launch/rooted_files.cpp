#include "launch/rooted_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace gate::launch {

namespace {

bool is_regular(const Fd& fd) {
  struct stat info {};
  return fd && ::fstat(fd.get(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace

RootedFiles::RootedFiles(const fs::Path& root)
    : root_(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

// Before Linux 5.6, absolute links lead into gate's own root.
Fd RootedFiles::open(const std::string& path, int flags) const {
  const std::string below = path.substr(std::min(path.find_first_not_of('/'), path.size()));
  if (!root_ || below.empty()) return {};
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  Fd fd(static_cast<int>(::syscall(SYS_openat2, root_.get(), below.c_str(), &how, sizeof how)));
  if (!fd && (errno == ENOSYS || errno == EPERM))
    fd = Fd(::openat(root_.get(), below.c_str(), static_cast<int>(how.flags)));
  return fd;
}

std::string RootedFiles::read(const std::string& path, std::size_t most) const {
  const Fd fd = open(path, O_RDONLY);
  if (!is_regular(fd)) return "";
  std::string content(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t count = ::read(fd.get(), content.data() + size, most - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

std::vector<std::string> RootedFiles::list(const std::string& path) const {
  constexpr std::size_t most = 20'000;
  std::vector<std::string> names;
  const Fd fd = open(path, O_RDONLY | O_DIRECTORY);
  const int own = fd ? ::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0) : -1;  // closed with the stream
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(own < 0 ? nullptr : ::fdopendir(own), ::closedir);
  while (const dirent* entry = folder && names.size() < most ? ::readdir(folder.get()) : nullptr)
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  std::ranges::sort(names);
  return names;
}

bool RootedFiles::has(const std::string& path) const { return is_regular(open(path, O_RDONLY)); }

}  // namespace gate::launch
