// File descriptors with an owner. All of them are close-on-exec and above 2, so that none leaks into a script
// and none is in the way when its stdin, stdout and stderr are set.
#pragma once

#include <utility>

#include "gate/base/result.h"

namespace gate::launch {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }  // -1 where there is none
  void close();

 private:
  int number_ = -1;
};

enum class Reads { blocking, at_once };  // at_once: a read of an empty pipe fails with EAGAIN

struct Pipe {
  Fd read;
  Fd write;
};

Result<Pipe> make_pipe(Reads reads);
Result<Fd> open_null();

// Return the system's words for an errno value.
std::string reason(int error);

}  // namespace gate::launch
