// A part of a suite's cases, of several that together are all of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gate {

struct Shard {
  int number = 1;  // from 1 on
  int count = 1;   // of all shards

  bool operator==(const Shard&) const = default;
};

inline constexpr int most_shards = 10'000;

// Return the shard as people write it: `2/4`.
std::string to_string(const Shard& shard);

// Return the shard of such a word, or nothing: 1 <= number <= count <= most_shards, and no sign, blank or
// leading zero.
std::optional<Shard> parse_shard(std::string_view word);

}  // namespace gate
