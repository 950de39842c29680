#include "store/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "gate/base/text.h"

namespace gate::store {

namespace {

fs::Path file_of(const fs::Path& folder) { return folder / "lock"; }

std::string holder(Moment since) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return "process " + std::to_string(::getpid()) + " on " + host.data() + " since " + to_iso(since);
}

// Words for people only: the lock holds without them.
void write_holder(int fd, const std::string& words) {
  if (::ftruncate(fd, 0) == 0) static_cast<void>(!::write(fd, words.data(), words.size()));
}

}  // namespace

Result<FolderLock> FolderLock::take(const fs::Path& folder, Moment since) {
  const fs::Path file = file_of(folder);
  FolderLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock.fd_) return fail(file.string() + ": cannot create: " + std::strerror(errno));
  if (::flock(lock.fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return fail(file.string() + ": cannot lock: " + std::strerror(errno));
    return fail(folder.string() + ": in use by " +
                printable(fs::read_file(file).value_or("another gate"), 200));
  }
  write_holder(lock.fd_.get(), holder(since));
  return lock;
}

Result<FolderLock> FolderLock::wait(const fs::Path& folder, const fs::Path& spare, Duration longest) {
  constexpr Duration step{10};
  FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.fd_) return fail(folder.string() + ": cannot open: " + std::strerror(errno));
  const auto end = SteadyClock::now() + longest;
  bool is_spare = false;
  while (::flock(lock.fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    const bool held = errno == EWOULDBLOCK;
    if (!held && std::exchange(is_spare, true))
      return fail(folder.string() + ": cannot lock: " + std::strerror(errno));
    if (!held) lock = FolderLock(::open(file_of(spare).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (SteadyClock::now() >= end) return fail(folder.string() + ": in use by another gate");
    if (held) std::this_thread::sleep_for(step);
  }
  return lock;
}

// One that was killed at once has told nothing, and left nothing else.
bool was_taken(const fs::Path& folder) {
  constexpr std::size_t longest = 1000;
  const Result<std::string> words = fs::read_regular(file_of(folder), longest);
  std::error_code unread;
  const std::filesystem::directory_iterator files(folder, unread);
  return words &&
         (words->empty() ? std::distance(begin(files), end(files)) == 1
                         : words->starts_with("process ") && words->find(" since ") != std::string::npos);
}

bool is_taken(const fs::Path& folder) {
  const Fd file(::open(file_of(folder).c_str(), O_RDONLY | O_CLOEXEC));
  return file && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace gate::store
