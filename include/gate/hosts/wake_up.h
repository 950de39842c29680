// What ends the waiting of a thread that polls descriptors: called by any other thread.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "gate/base/fd.h"

namespace gate::hosts {

class WakeUp {
 public:
  // It can be read from a call on, until that was answered.
  int fd() const { return event_.get(); }

  void call() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(fd(), &one, sizeof one);
  }

  void answer() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto read = ::read(fd(), &count, sizeof count);
  }

 private:
  const Fd event_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
};

}  // namespace gate::hosts
