#include "suite/moved_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"

namespace gate::app {

namespace {

constexpr std::size_t most_metrics = 5;

// The numbers at which the values of a metric changed, over all its ranks.
struct Moved {
  Numbering numbered = Numbering::step;
  std::set<std::int64_t> numbers;
  double percent = 0;  // of the value that moved farthest
};

using MovedMetrics = std::map<std::string, Moved>;

double percent_of(const std::optional<Sample>& before, const std::optional<Sample>& after) {
  if (!before || !after || !before->value.is_finite() || !after->value.is_finite()) return 0;
  const double from = before->value.number.to_double(), to = after->value.number.to_double();
  const double percent = (to - from) / std::abs(from) * 100;
  return std::isfinite(percent) ? percent : 0;
}

Moved& moved_of(MovedMetrics& all, const Series& series) {
  Moved& moved = all[series.metric()];
  moved.numbered = series.numbered();
  return moved;
}

// Add where the series has other values than that one of before, which is nullptr where there is none.
void add_moved(MovedMetrics& all, const Series& series, const Series* before) {
  for (const Sample& sample : series.samples()) {
    const std::optional<Sample> was = before == nullptr ? std::nullopt : before->find(sample.number);
    if (was && was->value == sample.value) continue;
    Moved& moved = moved_of(all, series);
    moved.numbers.insert(sample.number);
    const double percent = percent_of(was, sample);
    if (std::abs(percent) > std::abs(moved.percent)) moved.percent = percent;
  }
}

void add_gone(MovedMetrics& all, const Series& before, const Series* series) {
  for (const Sample& sample : before.samples())
    if (series == nullptr || !series->find(sample.number))
      moved_of(all, before).numbers.insert(sample.number);
}

std::string numbers_text(const Moved& moved) {
  constexpr std::size_t most_ranges = 3;
  const StepSet set(std::vector<std::int64_t>(moved.numbers.begin(), moved.numbers.end()));
  const std::string noun(to_string(moved.numbered));
  if (set.ranges().size() > most_ranges)
    return count_of(set.size(), noun) + " of " + to_string(StepSet({set.front(), set.back()}));
  return noun + (set.size() > 1 ? "s " : " ") + to_string(set);
}

std::string metric_words(const std::string& metric, const Moved& moved) {
  return metric + " " + numbers_text(moved) +
         (moved.percent == 0 ? "" : fmt::format(" {:+.3g} %", moved.percent));
}

}  // namespace

std::string moved_values(const Baseline& before, const Baseline& after) {
  const std::vector<Series>&was = before.runs.front().series, &is = after.runs.front().series;
  MovedMetrics all;
  const auto other = [](const std::vector<Series>& all_of, const Series& series) {
    return find_series(all_of, series.metric(), series.rank());
  };
  for (const Series& series : is) add_moved(all, series, other(was, series));
  for (const Series& series : was) add_gone(all, series, other(is, series));
  std::vector<std::string> words;
  for (const auto& [metric, moved] : all) words.push_back(metric_words(metric, moved));
  return some_of(words, most_metrics);
}

}  // namespace gate::app
