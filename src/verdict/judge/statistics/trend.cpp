#include "gate/judge/trend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gate::judge {

namespace {

// Return twice the ranks from 1, so that they stay whole: values that are equal share the mean of theirs.
std::vector<double> double_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0, end = 0; i < order.size(); i = end) {
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks[order[k]] = static_cast<double>(i + 1 + end);
  }
  return ranks;
}

void add_changes(std::span<const double> values, std::size_t from, double level, std::vector<Change>& all) {
  const std::optional<Change> change = change_point(values, level);
  if (!change) return;
  add_changes(values.first(change->at), from, level, all);
  all.push_back(*change);
  all.back().at += from;
  all.back().until = all.back().at;
  add_changes(values.subspan(change->at), from + change->at, level, all);
}

// Between neighbouring changes the medians are those of what lies between them.
void set_medians(std::span<const double> values, std::vector<Change>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : all[i - 1].at;
    const std::size_t end = i + 1 < all.size() ? all[i + 1].at : values.size();
    all[i].before = median_of(values.subspan(begin, all[i].at - begin));
    all[i].after = median_of(values.subspan(all[i].at, end - all[i].at));
  }
}

}  // namespace

double median_of(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::optional<Change> change_point(std::span<const double> values, double level) {
  if (values.size() < least_values) return std::nullopt;
  const std::vector<double> ranks = double_ranks(values);
  const double n = static_cast<double>(values.size());
  double sum = 0, largest = 0;
  std::size_t at = 0;
  for (std::size_t t = 1; t < values.size(); ++t) {
    sum += ranks[t - 1] - (n + 1);
    if (std::abs(sum) > largest) largest = std::abs(sum), at = t;
  }
  const double chance = std::min(1.0, 2 * std::exp(-6 * largest * largest / (n * n * n + n * n)));
  if (at == 0 || chance > level) return std::nullopt;
  return Change{at,    at, ChangeShape::step, median_of(values.first(at)), median_of(values.subspan(at)),
                chance};
}

std::vector<Change> change_points(std::span<const double> values, double level) {
  std::vector<Change> all;
  add_changes(values, 0, level, all);
  set_medians(values, all);
  return all;
}

Flips flips_of(const std::vector<bool>& green, const std::vector<std::optional<std::size_t>>& like) {
  Flips found;
  for (std::size_t i = 0; i < green.size(); ++i) {
    if (!like[i]) continue;
    ++found.pairs;
    if (green[i] != green[*like[i]]) ++found.flips;
  }
  return found;
}

}  // namespace gate::judge
