// Waiting for files to grow, at no cost while they do not.
#pragma once

#include <csignal>
#include <span>
#include <string>

#include "gate/base/fd.h"
#include "gate/base/time.h"

namespace gate {

enum class Notify { by_system, never };

class FileWatcher {
 public:
  // The system tells of changes (inotify) where it can. It says nothing of what another host writes to a
  // network file system, so nothing is waited for longer than 5 s; 200 ms where the system cannot tell at
  // all, or must not be asked.
  // SIGINT and SIGTERM are held back but while wait() waits, so that none is missed between two looks.
  explicit FileWatcher(std::span<const std::string> files, Notify notify = Notify::by_system);
  FileWatcher(const FileWatcher&) = delete;
  FileWatcher& operator=(const FileWatcher&) = delete;
  ~FileWatcher();

  enum class Woken { by_change, by_signal, by_time };

  // Wait until one of the files, or what stands beside it, may have changed. A change since the last call,
  // or since the value was made, ends the wait at once.
  Woken wait();

 private:
  bool watch(const std::string& file);
  void drain() const;

  Fd fd_;
  Duration patience_;
  sigset_t before_{};
};

}  // namespace gate
