#include "render/words/downsample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

namespace gate::render {

namespace {

constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::vector<double> finite_values(std::span<const double> values) {
  std::vector<double> out;
  std::ranges::copy_if(values, std::back_inserter(out), [](double value) { return std::isfinite(value); });
  return out;
}

std::string_view bar(double value, double low, double high) {
  if (!std::isfinite(value)) return "·";
  if (!(high > low)) return bars[bars.size() / 2 - 1];
  const double share = (value - low) / (high - low) * static_cast<double>(bars.size());
  return bars[std::min(static_cast<std::size_t>(share), bars.size() - 1)];
}

constexpr std::size_t least = 16;

void keep_extremes(const std::vector<std::optional<double>>& values, std::size_t begin, std::size_t end,
                   std::set<std::size_t>& kept) {
  std::optional<std::size_t> low, high;
  for (std::size_t i = begin; i < end; ++i) {
    if (!values[i]) continue;
    if (!low || *values[i] < *values[*low]) low = i;
    if (!high || *values[i] > *values[*high]) high = i;
  }
  if (low) kept.insert(*low);
  if (high) kept.insert(*high);
}

void keep_marks(const Chart& chart, std::set<std::size_t>& kept) {
  for (const Mark& mark : chart.marks)
    for (const double x : {mark.x, mark.until.value_or(mark.x)}) {
      const auto at = std::ranges::lower_bound(chart.x, x);
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

Chart only_places(const Chart& chart, const std::set<std::size_t>& kept) {
  Chart shorter = chart;
  shorter.x = picked(chart.x, kept);
  shorter.labels = picked(chart.labels, kept);
  shorter.low = picked(chart.low, kept);
  shorter.high = picked(chart.high, kept);
  for (Curve& curve : shorter.curves) curve.values = picked(curve.values, kept);
  return shorter;
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width) {
  std::vector<double> finite = finite_values(values);
  if (finite.empty()) finite = {0};
  const auto [low, high] = std::ranges::minmax(finite);
  const auto half = finite.begin() + std::ssize(finite) / 2;
  std::ranges::nth_element(finite, half);
  const double middle = *half;
  const auto distance = [&](double value) { return std::isfinite(value) ? std::abs(value - middle) : -1.0; };
  const std::size_t columns = std::min(width, values.size());
  std::string out;
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t begin = i * values.size() / columns, end = (i + 1) * values.size() / columns;
    std::pair<double, double> farthest{-2, 0};
    for (const double value : values.subspan(begin, end - begin))
      if (const double off = distance(value); off > farthest.first) farthest = {off, value};
    out += bar(farthest.second, low, high);
  }
  return out;
}

Chart downsample(const Chart& chart, std::size_t most, const AxisStretch& x) {
  std::set<std::size_t> inside;
  for (std::size_t i = 0; i < chart.x.size(); ++i)
    if (chart.x[i] >= x.first && chart.x[i] <= x.last) inside.insert(i);
  return downsample(inside.size() == chart.x.size() ? chart : only_places(chart, inside), most);
}

Chart downsample(const Chart& chart, std::size_t most) {
  most = std::max(most, least);
  if (chart.x.size() <= most) return chart;
  const std::size_t stretches =
      std::max<std::size_t>(1, most / (2 * std::max<std::size_t>(1, chart.curves.size())));
  std::set<std::size_t> kept{0, chart.x.size() - 1};
  for (std::size_t k = 0; k < stretches; ++k)
    for (const Curve& curve : chart.curves)
      keep_extremes(curve.values, k * chart.x.size() / stretches, (k + 1) * chart.x.size() / stretches, kept);
  for (const Curve& curve : chart.curves)
    for (std::size_t i = 1; i < curve.values.size(); ++i)
      if (curve.values[i].has_value() != curve.values[i - 1].has_value()) kept.insert({i - 1, i});
  keep_marks(chart, kept);
  return only_places(chart, kept);
}

}  // namespace gate::render
