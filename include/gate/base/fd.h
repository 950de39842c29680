// A file descriptor that is closed with its owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace gate {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    Fd taken(std::move(other));
    std::swap(number_, taken.number_);
    return *this;
  }
  ~Fd() { close(); }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }  // -1 where there is none
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace gate
