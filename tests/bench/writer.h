#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace bench {

// Numbers from a seed, the same on every machine (SplitMix64).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Return a number in [0, bound), 0 < bound < 2^32.
  std::uint64_t below(std::uint64_t bound) { return (next() >> 32) * bound >> 32; }

 private:
  std::uint64_t state_;
};

// Collects bytes and writes them to standard output, a megabyte at a time. The program ends with 1 where that
// fails.
class Writer {
 public:
  Writer() : buffer_(capacity) {}
  ~Writer() { flush(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Append at most a megabyte.
  void text(std::string_view bytes) {
    if (bytes.size() > capacity - used_) flush();
    std::memcpy(buffer_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }

  // Append '\n', and count it.
  void end_line() {
    text("\n");
    ++lines_;
  }

  // Return the number of bytes appended so far.
  std::int64_t bytes() const { return flushed_ + static_cast<std::int64_t>(used_); }

  std::int64_t lines() const { return lines_; }

 private:
  static constexpr std::size_t capacity = 1 << 20;

  void flush();

  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::int64_t flushed_ = 0;
  std::int64_t lines_ = 0;
};

}  // namespace bench
