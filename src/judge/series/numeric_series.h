// Series as the judge compares them: finite numbers, keyed by what the log printed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gate/model/rule.h"
#include "gate/model/series.h"
#include "judge/series/number.h"

namespace gate::judge {

struct Point {
  std::int64_t number = 0;
  Number value;
  std::uint32_t file = 0;  // of the sample, as Sample has them
  std::uint32_t line = 0;
};

// Points in rising order of their numbers.
class NumericSeries {
 public:
  void append(Point point) { points_.push_back(point); }
  const Point* find(std::int64_t number) const;
  std::span<const Point> points() const { return points_; }

 private:
  std::vector<Point> points_;
};

// Return the finite samples of one series; or of several ranks combined, at each number where all ranks have
// one. The place of a combined point is that of the rank which decides it (of the first rank for the mean).
NumericSeries line_of(std::span<const Series* const> ranks, RankMode mode);

// Return the mean of the lines at each number where any of them has a point.
NumericSeries mean_line(std::span<const NumericSeries> lines);

// Return the values of the line, or those at the numbers; a number without a point is left out.
std::vector<Number> values_of(const NumericSeries& line);
std::vector<Number> values_at(const NumericSeries& line, std::span<const std::int64_t> numbers);

// Return the numbers of all samples whose value was not left out, of any of the series, rising.
std::vector<std::int64_t> recorded_numbers(std::span<const Series* const> series);

}  // namespace gate::judge
