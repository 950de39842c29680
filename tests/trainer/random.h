// Random numbers that are the same everywhere: integers and IEEE additions, nothing of the C library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tinygpt {

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Make the generator of one purpose (`stream`), unrelated to those of the other streams of the same seed.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
    state_ = next() ^ (stream * 0xd1342543de82ef95);
  }

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Return a number in [0, 1) with 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Return a number in [0, n); n > 0. The bias, below n / 2^64, is of no consequence here.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }

  // Return a number of mean 0 and variance 1, within [-6, 6]: the sum of twelve uniform ones less 6, near
  // enough to normal for the start of a network, without log and cos.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace tinygpt
