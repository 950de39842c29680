#include "gate/base/write_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>

namespace gate {

WriteWatch::WriteWatch(fs::Path prefix) : prefix_(std::move(prefix)) {
  if (prefix_.empty() || !fs::make_folder(prefix_.parent_path())) return;
  events_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  // Like events that follow one another become one: with IN_OPEN between them none do.
  if (events_) ::inotify_add_watch(events_.get(), prefix_.parent_path().c_str(), IN_OPEN | IN_CLOSE_WRITE);
}

void WriteWatch::look() {
  if (!events_) return;
  alignas(inotify_event) std::array<char, 16384> block;
  for (ssize_t size = 0; (size = ::read(events_.get(), block.data(), block.size())) > 0;)
    for (const char* at = block.data(); at < block.data() + size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof *event + event->len;
      const std::string name = event->len > 0 ? event->name : "";
      const bool is_write = (event->mask & IN_CLOSE_WRITE) != 0;
      if (is_write && name.starts_with(prefix_.filename().string() + "-") && ++writes_[name] == 2)
        static_cast<void>(fs::write_file(prefix_.string() + ".twice", name, fs::Survives::kill));
    }
}

}  // namespace gate
