#include "judge/series/numeric_series.h"

#include <algorithm>
#include <map>

namespace gate::judge {

namespace {

Point point_of(const Sample& sample) {
  return {sample.number, number(sample.value.number), sample.file, sample.line};
}

std::vector<Point> points_at(std::span<const Series* const> ranks, std::int64_t number) {
  std::vector<Point> points;
  for (const Series* series : ranks)
    if (const auto sample = series->find(number); sample && sample->value.is_finite())
      points.push_back(point_of(*sample));
  return points;
}

Point combine_points(const std::vector<Point>& points, RankMode mode) {
  const auto less = [](const Number& a, const Number& b) { return compare(a, b) < 0; };
  if (mode == RankMode::max) return *std::ranges::max_element(points, less, &Point::value);
  if (mode == RankMode::min) return *std::ranges::min_element(points, less, &Point::value);
  std::vector<Number> values;
  for (const Point& point : points) values.push_back(point.value);
  Point mean = points.front();
  mean.value = mean_of(values);
  return mean;
}

using StepNumbers = std::span<const std::int64_t>;

// Return the recorded numbers from `low` to `high`, both included.
StepNumbers between(StepNumbers recorded, std::int64_t low, std::int64_t high) {
  const auto begin = std::ranges::lower_bound(recorded, low);
  return {begin, std::upper_bound(begin, recorded.end(), high)};
}

StepNumbers select(const Window& window, StepNumbers recorded, Front front) {
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(window.a, 0));
  const std::size_t warm_up = front == Front::first_of_run && !recorded.empty() ? 1 : 0;
  switch (window.kind) {
    case Window::Kind::all:
      return recorded;
    case Window::Kind::first:
      return recorded.first(std::min(wanted, recorded.size()));
    case Window::Kind::last:
      return recorded.last(std::min(wanted, recorded.size() - warm_up));
    case Window::Kind::between:
      return between(recorded, window.a, window.b);
    case Window::Kind::after:
      return {std::ranges::upper_bound(recorded, window.a), recorded.end()};
    case Window::Kind::step:
      return between(recorded, window.a, window.a);
  }
  return {};
}

}  // namespace

const Point* NumericSeries::find(std::int64_t number) const {
  const auto it = std::ranges::lower_bound(points_, number, {}, &Point::number);
  return it != points_.end() && it->number == number ? &*it : nullptr;
}

NumericSeries numeric_series_of(std::span<const Series* const> ranks, RankMode mode) {
  NumericSeries combined;
  if (ranks.empty()) return combined;
  for (const Sample& sample : ranks.front()->samples()) {
    if (!sample.value.is_finite()) continue;
    if (ranks.size() == 1) {
      combined.append(point_of(sample));
    } else if (const auto points = points_at(ranks, sample.number); points.size() == ranks.size()) {
      combined.append(combine_points(points, mode));
    }
  }
  return combined;
}

NumericSeries mean_series(std::span<const NumericSeries> all) {
  if (all.size() == 1) return all.front();
  std::map<std::int64_t, std::vector<Point>> at;
  for (const NumericSeries& series : all)
    for (const Point& point : series.points()) at[point.number].push_back(point);
  NumericSeries mean;
  for (const auto& [number, points] : at) mean.append(combine_points(points, RankMode::mean));
  return mean;
}

std::vector<Number> values_of(const NumericSeries& series) {
  std::vector<Number> values;
  for (const Point& point : series.points()) values.push_back(point.value);
  return values;
}

std::vector<Number> values_at(const NumericSeries& series, std::span<const std::int64_t> numbers) {
  std::vector<Number> values;
  for (const std::int64_t number : numbers)
    if (const Point* point = series.find(number)) values.push_back(point->value);
  return values;
}

std::vector<const Series*> pointers_to(const std::vector<Series>& series) {
  std::vector<const Series*> pointers;
  for (const Series& one : series) pointers.push_back(&one);
  return pointers;
}

void sort_unique(std::vector<std::int64_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::int64_t last_step_of(std::span<const Series> series) {
  std::int64_t last = 0;
  for (const Series& one : series)
    if (one.numbered() == Numbering::step && !one.empty()) last = std::max(last, one.samples().last_number());
  return last;
}

std::vector<std::int64_t> recorded_numbers(std::span<const Series* const> series) {
  std::vector<std::int64_t> numbers;
  for (const Series* one : series)
    for (const Sample& sample : one->samples())
      if (sample.value.kind != ValueKind::left_out) numbers.push_back(sample.number);
  sort_unique(numbers);
  return numbers;
}

std::vector<std::int64_t> resolve(const Window& window, std::span<const std::int64_t> recorded, Front front) {
  const StepNumbers selected = select(window, recorded, front);
  return {selected.begin(), selected.end()};
}

}  // namespace gate::judge
