#include "judge/series/numeric_series.h"

#include <algorithm>
#include <map>
#include <optional>

namespace gate::judge {

namespace {

Point point_of(const Sample& sample) {
  return {sample.number, number(sample.value.number), sample.file, sample.line};
}

NumericSeries line_of_one(const Series& series) {
  NumericSeries line;
  for (const Sample& sample : series.samples())
    if (sample.value.is_finite()) line.append(point_of(sample));
  return line;
}

std::vector<Point> points_at(std::span<const Series* const> ranks, std::int64_t number) {
  std::vector<Point> points;
  for (const Series* series : ranks)
    if (const auto sample = series->find(number); sample && sample->value.is_finite())
      points.push_back(point_of(*sample));
  return points;
}

Point combine_points(const std::vector<Point>& points, RankMode mode) {
  const auto less = [](const Point& a, const Point& b) { return compare(a.value, b.value) < 0; };
  if (mode == RankMode::max) return *std::max_element(points.begin(), points.end(), less);
  if (mode == RankMode::min) return *std::min_element(points.begin(), points.end(), less);
  std::vector<Number> values;
  for (const Point& point : points) values.push_back(point.value);
  Point mean = points.front();
  mean.value = mean_of(values);
  return mean;
}

}  // namespace

const Point* NumericSeries::find(std::int64_t number) const {
  const auto it = std::lower_bound(points_.begin(), points_.end(), number,
                                   [](const Point& point, std::int64_t n) { return point.number < n; });
  return it != points_.end() && it->number == number ? &*it : nullptr;
}

NumericSeries line_of(std::span<const Series* const> ranks, RankMode mode) {
  if (ranks.empty()) return {};
  if (ranks.size() == 1) return line_of_one(*ranks.front());
  NumericSeries line;
  for (const Sample& sample : ranks.front()->samples()) {
    const std::vector<Point> points = points_at(ranks, sample.number);
    if (points.size() == ranks.size()) line.append(combine_points(points, mode));
  }
  return line;
}

NumericSeries mean_line(std::span<const NumericSeries> lines) {
  if (lines.size() == 1) return lines.front();
  std::map<std::int64_t, std::vector<Point>> at;
  for (const NumericSeries& line : lines)
    for (const Point& point : line.points()) at[point.number].push_back(point);
  NumericSeries mean;
  for (const auto& [number, points] : at) mean.append(combine_points(points, RankMode::mean));
  return mean;
}

std::vector<Number> values_of(const NumericSeries& line) {
  std::vector<Number> values;
  for (const Point& point : line.points()) values.push_back(point.value);
  return values;
}

std::vector<Number> values_at(const NumericSeries& line, std::span<const std::int64_t> numbers) {
  std::vector<Number> values;
  for (const std::int64_t number : numbers)
    if (const Point* point = line.find(number)) values.push_back(point->value);
  return values;
}

std::vector<std::int64_t> recorded_numbers(std::span<const Series* const> series) {
  std::vector<std::int64_t> numbers;
  for (const Series* one : series)
    for (const Sample& sample : one->samples())
      if (sample.value.kind != ValueKind::left_out) numbers.push_back(sample.number);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace gate::judge
