#include "extract/attempts/collapse.h"

#include <algorithm>
#include <span>
#include <utility>

namespace gate::extract {

namespace {

using Group = std::span<Sample>;

bool is_left_out(const Sample& sample) { return sample.value.kind == ValueKind::left_out; }

bool all_equal(Group group) {
  return std::all_of(group.begin(), group.end(), [&](const Sample& s) { return s.value == group[0].value; });
}

const Sample& pick(Group group, Pick which) {
  const auto less = [](const Sample& a, const Sample& b) { return a.value.number < b.value.number; };
  const auto odd =
      std::find_if_not(group.begin(), group.end(), [](const Sample& s) { return s.value.is_finite(); });
  if (odd != group.end()) return *odd;
  if (which == Pick::last) return group.back();
  if (which == Pick::min) return *std::min_element(group.begin(), group.end(), less);
  if (which == Pick::max) return *std::max_element(group.begin(), group.end(), less);
  return group.front();
}

std::string differing(Group group, const Metric& metric) {
  const auto other =
      std::find_if(group.begin(), group.end(), [&](const Sample& s) { return !(s.value == group[0].value); });
  const std::string both = metric.name + " printed as " + group[0].text + " and as " + other->text;
  return metric.pick == Pick::none
             ? both + "; metrics." + metric.name + ".pick (first, last, min, max) says which is meant"
             : both;
}

void add_group(Group group, const Metric& metric, Series& series, std::vector<Repeat>& repeats) {
  const auto printed = std::stable_partition(group.begin(), group.end(), is_left_out);
  if (printed != group.end()) group = Group(printed, group.end());
  const bool equal = all_equal(group);
  const bool chosen = metric.pick != Pick::none;
  if (group.size() > 1)
    repeats.push_back(
        {group[0].number, {group[1].file, group[1].line}, equal ? "" : differing(group, metric), chosen});
  series.append(!equal && chosen ? pick(group, metric.pick) : group[0]);
  if (!equal && !chosen) series.mark_conflict(group[0].number);
}

}  // namespace

Series collapse(SampleTape tape, const Metric& metric, std::optional<int> rank,
                std::vector<Repeat>& repeats) {
  if (tape.rises()) return {metric.name, rank, metric.unit, metric.numbered, std::move(tape)};
  std::vector<Sample> samples(tape.begin(), tape.end());
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample& a, const Sample& b) { return a.number < b.number; });
  Series series(metric.name, rank, metric.unit, metric.numbered);
  for (auto begin = samples.begin(); begin != samples.end();) {
    const auto end =
        std::find_if(begin, samples.end(), [&](const Sample& s) { return s.number != begin->number; });
    add_group(Group(begin, end), metric, series, repeats);
    begin = end;
  }
  return series;
}

}  // namespace gate::extract
