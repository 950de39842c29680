#include "gate/schema/golden_steps.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/model/step_set.h"
#include "schema/golden/golden_series.h"

namespace gate::schema {

namespace {

constexpr std::int64_t longest_range = 1'000'001;

bool is_positional(const Series& series) { return series.assumed() && series.numbered() == Numbering::step; }

// Return what stands for the positions, in their order; those without a value count too.
std::vector<std::int64_t> positions_of(const Series& series) {
  std::vector<std::int64_t> positions(series.unrecorded().begin(), series.unrecorded().end());
  for (const Sample& sample : series.samples()) positions.push_back(sample.number);
  std::ranges::sort(positions);
  return positions;
}

Series renumbered(const Series& series, std::span<const std::int64_t> steps) {
  const std::vector<std::int64_t> positions = positions_of(series);
  const auto step_of = [&](std::int64_t position) {
    return steps[static_cast<std::size_t>(std::ranges::lower_bound(positions, position) - positions.begin())];
  };
  Series fresh(series.metric(), series.rank(), series.unit(), series.numbered());
  for (Sample sample : series.samples()) {
    sample.number = step_of(sample.number);
    fresh.append(sample);
  }
  for (const std::int64_t position : series.unrecorded()) fresh.mark_unrecorded(step_of(position));
  return fresh;
}

std::vector<Series*> positional_series(Baseline& baseline) {
  std::vector<Series*> all;
  for (BaselineRun& run : baseline.runs)
    for (Series& series : run.series)
      if (is_positional(series)) all.push_back(&series);
  return all;
}

}  // namespace

Result<std::vector<std::int64_t>> read_steps(std::string_view words) {
  std::vector<std::int64_t> steps;
  for (const std::string_view part : split(words, ',')) {
    const std::optional<StepSet> range = StepSet::parse(part);
    const std::int64_t before = steps.empty() ? 0 : steps.back();
    if (!range || range->empty() || range->size() > longest_range || range->front() <= before)
      return fail("--steps " + printable(words, 80) + ": write rising steps such as 2-15 or 1-7,9-15");
    for (const std::int64_t number : range->numbers()) steps.push_back(number);
  }
  return steps;
}

bool has_positions(const Baseline& baseline) {
  return std::ranges::any_of(baseline.runs,
                             [](const auto& run) { return std::ranges::any_of(run.series, is_positional); });
}

Status number_positions(Baseline& baseline, std::span<const std::int64_t> steps) {
  const std::vector<Series*> all = positional_series(baseline);
  for (const Series* series : all)
    if (const std::size_t length = positions_of(*series).size(); length != steps.size())
      return fail("steps " + to_string(StepSet(steps)) + " are " +
                  count_of(static_cast<std::int64_t>(steps.size()), "step") + ", and the list of " +
                  series->metric() + " holds " + count_of(static_cast<std::int64_t>(length), "value"));
  for (Series* series : all) *series = renumbered(*series, steps);
  std::erase_if(baseline.notes, [](const std::string& note) { return note.find(no_steps) != note.npos; });
  return {};
}

}  // namespace gate::schema
