// The read end of the pipe that a script's stdout and stderr share.
//
// Nobody waits for its end: a process that outlives the script may hold it open for ever.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gate/base/time.h"
#include "gate/launch/process.h"
#include "launch/fd.h"
#include "launch/gathering.h"

namespace gate::launch {

class OutputPipe {
 public:
  explicit OutputPipe(Fd read_end);

  // Wait for output, for the end of the process behind the pidfd (-1: none), for a signal, or until the time
  // is up. Returns `by_output` only where there is output and the process has not ended.
  // Small pieces that go on coming are let gather first.
  Woken wait(int pidfd, Duration limit);

  // Hand on, in blocks, at least what was in the pipe when this was called and not much more, so that it ends
  // also where output never does. Ends early when `take` has enough.
  void read(const std::function<More(std::string_view)>& take);

 private:
  Fd fd_;
  std::size_t capacity_ = std::size_t{64} << 10;
  std::string block_;
  Gathering gathering_;
};

}  // namespace gate::launch
