#include "launch/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <utility>

namespace gate::launch {

namespace {

constexpr std::size_t pipe_block = std::size_t{64} << 10;
constexpr int wanted_capacity = 1 << 20;  // a slow reader holds the script up late; the system may refuse it

// Wait for the end of the process alone. A signal, too, is for the caller.
bool ends_within(int pidfd, Duration limit) {
  pollfd child{pidfd, POLLIN, 0};
  return ::poll(&child, 1, static_cast<int>(limit.count())) != 0;
}

}  // namespace

OutputPipe::OutputPipe(Fd read_end) : fd_(std::move(read_end)), block_(pipe_block, '\0') {
  ::fcntl(fd_.get(), F_SETPIPE_SZ, wanted_capacity);
  const int size = ::fcntl(fd_.get(), F_GETPIPE_SZ);
  if (size > 0) capacity_ = static_cast<std::size_t>(size);
}

Woken OutputPipe::wait(int pidfd, Duration limit) {
  const Duration first = std::min(gathering_.rest(SteadyClock::now()), limit);
  if (first > Duration{} && ends_within(pidfd, first)) return Woken::otherwise;
  limit -= first;
  std::array<pollfd, 2> fds{{{fd_.get(), POLLIN, 0}, {pidfd, POLLIN, 0}}};
  const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(limit.count()));
  if (ready < 0 && errno != EINTR) std::this_thread::sleep_for(limit);
  return ready > 0 && fds[1].revents == 0 ? Woken::by_output : Woken::otherwise;
}

void OutputPipe::read(const std::function<More(std::string_view)>& take) {
  for (std::size_t done = 0; fd_ && done < capacity_;) {
    const ssize_t count = ::read(fd_.get(), block_.data(), block_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return fd_.close();
    done += static_cast<std::size_t>(count);
    gathering_.note(done, SteadyClock::now());
    const bool drained = static_cast<std::size_t>(count) < block_.size();
    if (take({block_.data(), static_cast<std::size_t>(count)}) == More::enough || drained) return;
  }
}

}  // namespace gate::launch
