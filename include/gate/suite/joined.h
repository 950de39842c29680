// Things that are joined one by one into groups.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace gate::app {

class Joined {
 public:
  explicit Joined(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }

  // Return the one thing that stands for all of its group.
  std::size_t root(std::size_t one) {
    while (parents_[one] != one) one = parents_[one] = parents_[parents_[one]];
    return one;
  }

  // Make the groups of the two one group.
  void join(std::size_t a, std::size_t b) { parents_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parents_;
};

}  // namespace gate::app
