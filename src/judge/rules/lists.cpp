#include "judge/rules/lists.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "judge/series/pairs.h"

namespace gate::judge {

namespace {

using NumberSet = std::set<std::int64_t>;

void append(List& list, const Series& series, const NumberSet& left_out) {
  for (const std::int64_t number : all_numbers(series))
    if (series.numbered() != Numbering::step || !left_out.contains(number))
      list.push_back({series.find(number), series.rank()});
}

List by_rank(List list) {
  std::ranges::stable_sort(list, {}, &Item::rank);
  return list;
}

// Return the steps that a log printed and that one of the compared metrics has no number at.
NumberSet torn_steps(std::span<const Series> all, std::span<const std::string_view> compared) {
  NumberSet torn;
  for (const Series& series : all) {
    if (std::ranges::count(compared, series.metric()) == 0 || series.numbered() != Numbering::step) continue;
    for (const Sample& sample : series.samples())
      if (!sample.value.is_finite() && sample.line > 0) torn.insert(sample.number);
  }
  return torn;
}

}  // namespace

List expected_list(const Reference& reference, std::string_view metric) {
  List list;
  for (const ReferenceSeries& held : reference.series)
    if (held.runs.front().metric() == metric) append(list, held.runs.front(), {});
  for (const Series& series : reference.unrecorded)
    if (series.metric() == metric) append(list, series, {});
  return by_rank(std::move(list));
}

List actual_list(const Extraction& run, std::string_view metric, std::span<const std::string_view> compared) {
  List list;
  const auto take = [&](std::span<const Series> all) {
    const NumberSet torn = torn_steps(all, compared);
    for (const Series& series : all)
      if (series.metric() == metric) append(list, series, torn);
  };
  if (run.attempts.empty()) take(run.series);
  for (const Attempt& attempt : run.attempts) take(attempt.series);
  return by_rank(std::move(list));
}

double value_of(const Item& item) {
  const bool finite = item.sample && item.sample->value.is_finite();
  return finite ? item.sample->value.number.to_double() : std::nan("");
}

std::vector<double> values_behind(const List& list, std::size_t first) {
  std::vector<double> values;
  for (std::size_t i = first; i < list.size(); ++i) values.push_back(value_of(list[i]));
  return values;
}

}  // namespace gate::judge
