#include "render/words/downsample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "gate/judge/trend.h"

namespace gate::render {

namespace {

constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::vector<double> finite_values(std::span<const double> values) {
  std::vector<double> out;
  out.reserve(values.size());
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

using Indices = std::vector<std::size_t>;  // of places

void keep_extremes(const std::vector<std::optional<double>>& values, std::size_t begin, std::size_t end,
                   Indices& kept) {
  std::optional<std::size_t> low, high;
  for (std::size_t i = begin; i < end; ++i) {
    if (!values[i]) continue;
    if (!low || *values[i] < *values[*low]) low = i;
    if (!high || *values[i] > *values[*high]) high = i;
  }
  if (low) kept.push_back(*low);
  if (high) kept.push_back(*high);
}

template <typename T>
std::vector<T> picked(const std::vector<T>& values, const Indices& kept) {
  std::vector<T> out;
  if (values.empty()) return out;
  out.reserve(kept.size());
  for (const std::size_t i : kept) out.push_back(values[i]);
  return out;
}

Chart only_places(const Chart& chart, const Indices& kept) {
  std::vector<Curve> curves;
  for (const Curve& curve : chart.curves)
    curves.push_back({curve.name, curve.role, picked(curve.values, kept), curve.rank, curve.side});
  return {chart,
          picked(chart.x, kept),
          picked(chart.labels, kept),
          std::move(curves),
          picked(chart.low, kept),
          picked(chart.high, kept)};
}

// The places from `begin` to before `end`.
Indices kept_of(const Chart& chart, std::size_t most, std::size_t begin, std::size_t end) {
  Indices kept;
  const std::size_t size = end - begin;
  if (size <= most) {
    for (std::size_t i = begin; i < end; ++i) kept.push_back(i);
    return kept;
  }
  const std::size_t stretches =
      std::max<std::size_t>(1, most / (2 * std::max<std::size_t>(1, chart.curves.size())));
  kept = {begin, end - 1};
  for (const Curve& curve : chart.curves) {
    for (std::size_t k = 0; k < stretches; ++k)
      keep_extremes(curve.values, begin + k * size / stretches, begin + (k + 1) * size / stretches, kept);
    for (std::size_t i = begin + 1; i < end; ++i)
      if (curve.values[i].has_value() != curve.values[i - 1].has_value()) kept.insert(kept.end(), {i - 1, i});
  }
  const auto first = chart.x.begin() + static_cast<std::ptrdiff_t>(begin),
             last = chart.x.begin() + static_cast<std::ptrdiff_t>(end);
  for (const Mark& mark : chart.marks)
    for (const double x : {mark.x, mark.until.value_or(mark.x)})
      if (const auto at = std::lower_bound(first, last, x); at != last)
        kept.push_back(static_cast<std::size_t>(at - chart.x.begin()));
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width, std::optional<double> lowest) {
  std::vector<double> finite = finite_values(values);
  if (finite.empty()) finite = {0};
  const auto [least, high] = std::ranges::minmax(finite);
  const double low = lowest.value_or(least);
  const double middle = judge::value_in_order(finite, finite.size() / 2);
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
  const auto begin = std::ranges::lower_bound(chart.x, x.first),
             end = std::ranges::upper_bound(chart.x, x.last);
  return only_places(chart,
                     kept_of(chart, std::max(most, least), static_cast<std::size_t>(begin - chart.x.begin()),
                             static_cast<std::size_t>(std::max(begin, end) - chart.x.begin())));
}

Chart downsample(const Chart& chart, std::size_t most) {
  most = std::max(most, least);
  return chart.x.size() <= most ? chart : only_places(chart, kept_of(chart, most, 0, chart.x.size()));
}

}  // namespace gate::render
