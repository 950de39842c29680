#include "gate/suite/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/model/numbers/series.h"
#include "gate/suite/joined.h"
#include "gate/suite/predecessors.h"

namespace gate::app {

namespace {

constexpr Duration longest = std::chrono::hours(24 * 365);  // what a baseline says beyond it is no duration

// Cases that stay together.
struct Hand {
  std::size_t first = 0;  // of its cases
  Duration expected{};
};

Duration median_of_known(const std::vector<Share>& shares) {
  std::vector<Duration> known;
  for (const Share& share : shares)
    if (share.expected > Duration{}) known.push_back(share.expected);
  std::ranges::sort(known);
  return known.empty() ? Duration(1) : known[known.size() / 2];
}

Joined joined_shares(const std::vector<Share>& shares) {
  Joined joined(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (const std::string& name : shares[i].predecessors) {
      const auto other = std::ranges::lower_bound(shares, name, {}, &Share::name);
      if (other != shares.end() && other->name == name)
        joined.join(static_cast<std::size_t>(other - shares.begin()), i);
    }
  return joined;
}

// By the root of each group; the longest first, of equal ones that whose first case comes first.
std::vector<std::pair<std::size_t, Hand>> sorted_hands(const std::vector<Share>& shares, Joined& joined) {
  const Duration median = median_of_known(shares);
  std::map<std::size_t, Hand> hands;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Hand& hand = hands.try_emplace(joined.root(i), Hand{i}).first->second;
    hand.expected += shares[i].expected > Duration{} ? shares[i].expected : median;
  }
  std::vector<std::pair<std::size_t, Hand>> sorted(hands.begin(), hands.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return std::tuple(-a.second.expected, a.second.first) < std::tuple(-b.second.expected, b.second.first);
  });
  return sorted;
}

std::optional<double> mean_value(const Series& series) {
  double sum = 0;
  std::int64_t count = 0;
  for (const Sample& sample : series.samples())
    if (sample.value.is_finite()) sum += sample.value.number.to_double(), ++count;
  return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

Duration duration_of_ms(double ms) {
  const bool is_one = std::isfinite(ms) && ms >= 1 && ms <= static_cast<double>(longest.count());
  return is_one ? Duration(std::llround(ms)) : Duration{};
}

Duration duration_of_run(const BaselineRun& run) {
  if (const Series* wall = find_series(run.series, "wall_time", {}); wall != nullptr && !wall->empty())
    return duration_of_ms(mean_value(*wall).value_or(0));
  const Series* step = find_series(run.series, "iteration_time", {});
  if (step == nullptr || step->empty()) return {};
  const std::int64_t last = (*(step->samples().end() - 1)).number;
  return duration_of_ms(mean_value(*step).value_or(0) * static_cast<double>(last));
}

std::vector<Share> shares_of(const Suite& suite, const std::vector<const config::Case*>& chosen) {
  const auto places = store::places_by_case(suite.layout);
  std::vector<Share> shares(chosen.size());
  in_parallel(chosen.size(), worthwhile_threads(chosen.size()), [&](std::size_t i) {
    const config::Case& spec = *chosen[i];
    const auto recorded = places.find(spec.name);
    shares[i] = {spec.name, join(spec.settings.platform, ","), {}, predecessors_of(spec)};
    if (recorded != places.end()) shares[i].expected = recorded_duration(suite.layout, recorded->second);
  });
  return shares;
}

}  // namespace

std::vector<int> deal(const std::vector<Share>& shares, int count) {
  Joined joined = joined_shares(shares);
  const std::size_t places = static_cast<std::size_t>(count);
  std::vector<Duration> total(places);
  std::map<std::string, std::vector<Duration>> by_platform;
  std::map<std::size_t, std::size_t> place_of;  // of a group
  for (const auto& [root, hand] : sorted_hands(shares, joined)) {
    auto& own = by_platform.try_emplace(shares[hand.first].platform, places).first->second;
    std::size_t best = 0;
    for (std::size_t i = 1; i < places; ++i)
      if (std::tuple(own[i], total[i]) < std::tuple(own[best], total[best])) best = i;
    own[best] += hand.expected;
    total[best] += hand.expected;
    place_of[root] = best;
  }
  std::vector<int> numbers;
  for (std::size_t i = 0; i < shares.size(); ++i)
    numbers.push_back(static_cast<int>(place_of[joined.root(i)]) + 1);
  return numbers;
}

Duration recorded_duration(const store::BaselineLayout& layout,
                           const std::vector<store::BaselinePlace>& places) {
  Duration longest_of_all{};
  for (const store::BaselinePlace& place : places) {
    const auto files = store::read_baselines(layout, place);
    if (!files) continue;  // who judges against it says so
    for (const store::BaselineFile& file : *files)
      for (const BaselineRun& run : file.baseline.runs)
        longest_of_all = std::max(longest_of_all, duration_of_run(run));
  }
  return longest_of_all;
}

std::string split_sha256(const ShardByCase& split) {
  std::string text;
  for (const auto& [name, number] : split) text += fmt::format("{} {}:{}\n", number, name.size(), name);
  return fs::sha256(text);
}

std::string take_shard(const Suite& suite, const Shard& shard, std::vector<const config::Case*>& chosen,
                       std::vector<std::string>& orphans) {
  const std::vector<int> numbers = deal(shares_of(suite, chosen), shard.count);
  ShardByCase split;
  for (const std::string& name : orphans) split[name] = 1;
  for (std::size_t i = 0; i < chosen.size(); ++i) split[chosen[i]->name] = numbers[i];
  std::erase_if(chosen, [&](const config::Case* one) { return split[one->name] != shard.number; });
  if (shard.number != 1) orphans.clear();
  return split_sha256(split);
}

}  // namespace gate::app
