#include "render/words/downsample.h"

#include <algorithm>
#include <set>

namespace gate::render {

namespace {

constexpr std::size_t least = 16;

using Values = std::vector<std::optional<double>>;

void keep_extremes(const Values& values, std::size_t begin, std::size_t end, std::set<std::size_t>& kept) {
  std::optional<std::size_t> low, high;
  for (std::size_t i = begin; i < end; ++i) {
    if (!values[i]) continue;
    if (!low || *values[i] < *values[*low]) low = i;
    if (!high || *values[i] > *values[*high]) high = i;
  }
  if (low) kept.insert(*low);
  if (high) kept.insert(*high);
}

void keep_gaps(const Values& values, std::set<std::size_t>& kept) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i].has_value() != values[i - 1].has_value()) kept.insert({i - 1, i});
}

void keep_marks(const Chart& chart, std::set<std::size_t>& kept) {
  for (const Mark& mark : chart.marks) {
    const auto at = std::ranges::lower_bound(chart.x, mark.x);
    if (at != chart.x.end()) kept.insert(static_cast<std::size_t>(at - chart.x.begin()));
  }
}

template <typename T>
std::vector<T> picked(const std::vector<T>& values, const std::set<std::size_t>& kept) {
  std::vector<T> out;
  if (values.empty()) return out;
  for (const std::size_t i : kept) out.push_back(values[i]);
  return out;
}

}  // namespace

Chart thinned(const Chart& chart, std::size_t most) {
  most = std::max(most, least);
  if (chart.x.size() <= most) return chart;
  const std::size_t stretches =
      std::max<std::size_t>(1, most / (2 * std::max<std::size_t>(1, chart.curves.size())));
  std::set<std::size_t> kept{0, chart.x.size() - 1};
  for (std::size_t k = 0; k < stretches; ++k)
    for (const Curve& curve : chart.curves)
      keep_extremes(curve.values, k * chart.x.size() / stretches, (k + 1) * chart.x.size() / stretches, kept);
  for (const Curve& curve : chart.curves) keep_gaps(curve.values, kept);
  keep_marks(chart, kept);
  Chart thin = chart;
  thin.x = picked(chart.x, kept);
  thin.labels = picked(chart.labels, kept);
  thin.low = picked(chart.low, kept);
  thin.high = picked(chart.high, kept);
  for (Curve& curve : thin.curves) curve.values = picked(curve.values, kept);
  return thin;
}

}  // namespace gate::render
