// Notes of many series in few lines.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gate::judge {

// A remark and the series that it is about.
struct Remark {
  std::string metric;
  std::optional<int> rank;
  std::string text;
};

// Return lines `memory_allocated ranks 0-7: report 3 not judged`: metrics and ranks with the same remark
// share one, in the order in which the remarks first appear.
std::vector<std::string> fold(std::span<const Remark> remarks);

}  // namespace gate::judge
