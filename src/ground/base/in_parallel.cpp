#include "gate/base/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace gate {

std::size_t usual_threads() {
  constexpr unsigned most = 4;
  return std::clamp(std::thread::hardware_concurrency(), 1U, most);
}

std::size_t worthwhile_threads(std::size_t pieces) {
  constexpr std::size_t pieces_of_one = 256;
  return std::clamp<std::size_t>(pieces / pieces_of_one, 1, usual_threads());
}

void in_parallel(std::size_t pieces, std::size_t threads, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t most_at_once = 16, shares = 4;  // of a thread: what few have left is shared
  const std::size_t at_once =
      std::clamp<std::size_t>(pieces / (shares * std::max<std::size_t>(threads, 1)), 1, most_at_once);
  std::atomic<std::size_t> next = 0;
  const auto go_on = [&] {
    for (std::size_t begin = 0; (begin = next.fetch_add(at_once)) < pieces;)
      for (std::size_t i = begin; i < std::min(begin + at_once, pieces); ++i) work(i);
  };
  std::vector<std::jthread> helpers;
  try {
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(go_on);
  } catch (const std::system_error&) {  // no more threads are to be had
  }
  go_on();
}

}  // namespace gate
