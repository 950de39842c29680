// Where things stand after some of them are gone.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gate::extract {

// The new place of each; nothing for those that are gone.
using NewPlaces = std::vector<std::optional<std::size_t>>;

// Return the places of what stays, in its order.
inline NewPlaces new_places(const std::vector<bool>& stays) {
  NewPlaces places(stays.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < stays.size(); ++i)
    if (stays[i]) places[i] = next++;
  return places;
}

// Keep what has a place.
template <class T>
void keep_placed(const NewPlaces& places, std::vector<T>& all) {
  std::vector<T> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (places[i]) kept.push_back(std::move(all[i]));
  all = std::move(kept);
}

}  // namespace gate::extract
