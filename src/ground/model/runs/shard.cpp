#include "gate/model/runs/shard.h"

#include "gate/base/text.h"

namespace gate {

std::string to_string(const Shard& shard) {
  return std::to_string(shard.number) + "/" + std::to_string(shard.count);
}

std::optional<Shard> parse_shard(std::string_view word) {
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = parse_integer(word.substr(0, slash)), count = parse_integer(word.substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > most_shards) return std::nullopt;
  const Shard shard{static_cast<int>(*number), static_cast<int>(*count)};
  return to_string(shard) == word ? std::optional(shard) : std::nullopt;
}

}  // namespace gate
