#include "gate/base/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <thread>

namespace gate::log_test {
namespace {

// Standard error as a pipe that is full and that nobody reads until somebody does.
class Stalled {
 public:
  Stalled() : before_(::dup(STDERR_FILENO)) {
    EXPECT_EQ(::pipe2(ends_.data(), O_NONBLOCK), 0);
    for (const std::array<char, 4096> zeros{}; ::write(ends_[1], zeros.data(), zeros.size()) > 0;) {
    }
    for (const int end : ends_) EXPECT_EQ(::fcntl(end, F_SETFL, 0), 0);
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
  constexpr int messages = 20000;
  constexpr std::ptrdiff_t most_kept = 8192 + 1;  // and the one that is being written
  Stalled terminal;
  log::never_wait();
  for (int i = 0; i < messages; ++i) log::warn("message " + std::to_string(i));
  std::string text;
  std::thread reader([&] { text = terminal.read_all(); });
  log::settle();
  terminal.restore();
  reader.join();
  EXPECT_NE(text.find("gate: message 19999\n"), std::string::npos) << "the newest are kept";
  EXPECT_NE(text.find("gate: message 12000\n"), std::string::npos) << "as many as can wait are kept";
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), most_kept) << "the oldest that waited are left out";
}

}  // namespace
}  // namespace gate::log_test
