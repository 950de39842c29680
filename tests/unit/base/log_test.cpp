#include "gate/base/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace gate {
namespace {

// Standard error as a pipe that nobody reads until somebody does.
class Stalled {
 public:
  Stalled() : before_(::dup(STDERR_FILENO)) {
    EXPECT_EQ(::pipe(ends_.data()), 0);
    ::dup2(ends_[1], STDERR_FILENO);
    ::close(ends_[1]);
  }
  ~Stalled() {
    restore();
    ::close(ends_[0]);
  }
  Stalled(const Stalled&) = delete;
  Stalled& operator=(const Stalled&) = delete;

  void restore() {
    if (before_ < 0) return;
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    before_ = -1;
  }

  std::string read_all() const {
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t count = 0; (count = ::read(ends_[0], block.data(), block.size())) > 0;)
      text.append(block.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  std::array<int, 2> ends_{};
  int before_;
};

TEST(Log, TerminalThatStandsStillHoldsNobodyUp) {
  Stalled terminal;
  log::never_wait();
  for (int i = 0; i < 20000; ++i) log::warn("message " + std::to_string(i));
  std::string text;
  std::thread reader([&] { text = terminal.read_all(); });
  log::settle();
  terminal.restore();
  reader.join();
  EXPECT_NE(text.find("gate: message 0\n"), std::string::npos);
  EXPECT_NE(text.find("gate: message 19999\n"), std::string::npos) << "the newest are kept";
  EXPECT_EQ(text.find("gate: message 10000\n"), std::string::npos) << "the oldest that waited are left out";
}

}  // namespace
}  // namespace gate
