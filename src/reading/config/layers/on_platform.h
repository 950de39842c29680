// Globs of platforms, of which several may match one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace gate::config {

// Tell whether the glob, or `any`, is of the platform.
bool is_for(std::string_view glob, std::string_view platform);

// Return how specific a glob of platforms is, the more the greater: a name, then of globs the one with most
// letters that are no wildcards, then `any`.
std::pair<int, std::size_t> specificity(std::string_view glob);

// Return the value of the most specific glob that is of the platform; nullptr where none is.
template <typename T>
const T* most_specific(const std::map<std::string, T>& by_glob, std::string_view platform) {
  const std::pair<const std::string, T>* best = nullptr;
  for (const auto& one : by_glob)
    if (is_for(one.first, platform) && (best == nullptr || specificity(one.first) > specificity(best->first)))
      best = &one;
  return best == nullptr ? nullptr : &best->second;
}

}  // namespace gate::config
