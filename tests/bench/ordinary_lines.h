#pragma once

#include <array>
#include <string>
#include <vector>

#include "writer.h"

namespace bench {

// A clock that goes on by up to 24 ms a line.
class Clock {
 public:
  void tick(Dice& dice);

  // Return it as loggers print it: `2026-03-01 10:15:02,123`.
  std::string_view text() const { return {text_.data(), text_.size()}; }

 private:
  std::uint64_t ms_ = 36'902'123;
  std::uint64_t second_ = 0;
  std::array<char, 23> text_{};
};

// What a training job prints that is no metric: 0 to 400 bytes a line, about 100 in the mean. No line holds a
// value that gate reads, or a message that it knows. The lines are drawn from some thousands that were made
// before, with the time put in, so that writing them is not much slower than copying.
class OrdinaryLines {
 public:
  explicit OrdinaryLines(Dice& dice);

  // Write one line without its end.
  void write(Writer& out, Dice& dice, std::string_view time) const;

 private:
  // text[begin, end); the time comes before `rest`, `time_size` bytes of it.
  struct Line {
    std::uint32_t begin = 0;
    std::uint32_t rest = 0;
    std::uint32_t end = 0;
    std::uint32_t time_size = 0;
  };

  void add(std::string_view line, Dice& dice);

  std::string text_;
  std::vector<Line> lines_;
};

}  // namespace bench
