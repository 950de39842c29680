#include "gate/base/file_watcher.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "gate/base/fs.h"

namespace gate {

namespace {

constexpr Duration patience{5000};
constexpr Duration interval{200};
constexpr auto changes = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;

timespec as_timespec(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {seconds.count(), std::chrono::nanoseconds(duration - seconds).count()};
}

}  // namespace

FileWatcher::FileWatcher(std::span<const std::string> files, Notify notify) : patience_(patience) {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
  if (notify == Notify::by_system) fd_ = Fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  const bool all = std::ranges::all_of(files, [&](const std::string& file) { return watch(file); });
  if (!fd_ || !all) patience_ = interval;
}

FileWatcher::~FileWatcher() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

// The folder tells of files that come and go; the file itself of what is written through a link.
bool FileWatcher::watch(const std::string& file) {
  if (!fd_) return false;
  const fs::Path folder = fs::Path(file).has_parent_path() ? fs::Path(file).parent_path() : ".";
  return ::inotify_add_watch(fd_.get(), folder.c_str(), changes) >= 0 &&
         ::inotify_add_watch(fd_.get(), file.c_str(), IN_MODIFY) >= 0;
}

FileWatcher::Woken FileWatcher::wait() {
  pollfd events{fd_.get(), POLLIN, 0};
  const timespec limit = as_timespec(patience_);
  const int ready = ::ppoll(&events, 1, &limit, &before_);
  if (ready < 0) return Woken::by_signal;
  if (ready > 0) drain();
  return ready > 0 ? Woken::by_change : Woken::by_time;
}

void FileWatcher::drain() const {
  std::array<char, 16 << 10> buffer;
  while (::read(fd_.get(), buffer.data(), buffer.size()) > 0) continue;
}

}  // namespace gate
