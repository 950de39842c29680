#include "judge/series/window.h"

#include <algorithm>

namespace gate::judge {

namespace {

using Numbers = std::span<const std::int64_t>;

std::size_t at_most(std::int64_t wanted, std::size_t available) {
  return std::min(static_cast<std::size_t>(std::max<std::int64_t>(wanted, 0)), available);
}

Numbers first(Numbers recorded, std::int64_t count) {
  return recorded.first(at_most(count, recorded.size()));
}

Numbers last_numbers(Numbers recorded, std::int64_t count) {
  return recorded.last(at_most(count, recorded.empty() ? 0 : recorded.size() - 1));
}

// Return the recorded numbers from `low` to `high`, both included.
Numbers between(Numbers recorded, std::int64_t low, std::int64_t high) {
  const auto begin = std::lower_bound(recorded.begin(), recorded.end(), low);
  const auto end = std::upper_bound(begin, recorded.end(), high);
  return {begin, end};
}

Numbers after(Numbers recorded, std::int64_t number) {
  return {std::upper_bound(recorded.begin(), recorded.end(), number), recorded.end()};
}

Numbers select(const Window& window, Numbers recorded) {
  switch (window.kind) {
    case Window::Kind::all:
      return recorded;
    case Window::Kind::first:
      return first(recorded, window.a);
    case Window::Kind::last:
      return last_numbers(recorded, window.a);
    case Window::Kind::between:
      return between(recorded, window.a, window.b);
    case Window::Kind::after:
      return after(recorded, window.a);
    case Window::Kind::step:
      return between(recorded, window.a, window.a);
  }
  return {};
}

}  // namespace

std::vector<std::int64_t> resolve(const Window& window, std::span<const std::int64_t> recorded) {
  const Numbers selected = select(window, recorded);
  return {selected.begin(), selected.end()};
}

}  // namespace gate::judge
