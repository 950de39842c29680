// Series as the judge compares them: finite numbers, keyed by what the log printed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gate/model/numbers/series.h"
#include "gate/model/rules/rule.h"
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
NumericSeries numeric_series_of(std::span<const Series* const> ranks, RankMode mode);

// Return the mean of the series at each number where any of them has a point.
NumericSeries mean_series(std::span<const NumericSeries> all);

// Return the values of the series, or those at the numbers; a number without a point is left out.
std::vector<Number> values_of(const NumericSeries& series);
std::vector<Number> values_at(const NumericSeries& series, std::span<const std::int64_t> numbers);

// Return where the series are, in their order.
std::vector<const Series*> pointers_to(const std::vector<Series>& series);

// Sort the numbers, and leave one of each.
void sort_unique(std::vector<std::int64_t>& numbers);

// Return the highest number of all series by step; 0 of none.
std::int64_t last_step_of(std::span<const Series> series);

// Return the numbers of all samples whose value was not left out, of any of the series, rising.
std::vector<std::int64_t> recorded_numbers(std::span<const Series* const> series);

enum class Front : std::uint8_t { first_of_run, later };  // what the first number of a series is

// Return the numbers that the window selects among those recorded (rising). `first N` and `last N` count
// them, and `last N` never takes the first of the run; the others compare the numbers themselves. May be
// empty.
std::vector<std::int64_t> resolve(const Window& window, std::span<const std::int64_t> recorded,
                                  Front front = Front::first_of_run);

}  // namespace gate::judge
