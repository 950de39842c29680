#include "gate/schema/golden_steps.h"

#include <algorithm>

#include "gate/base/text.h"
#include "schema/golden_file.h"

namespace gate::schema {

namespace {

bool is_positional(const Series& series) { return series.assumed() && series.numbered() == Numbering::step; }

// Positions without a value count too.
std::int64_t positions_of(const Series& series) {
  const std::int64_t unrecorded = series.unrecorded().empty() ? 0 : series.unrecorded().back();
  return std::max(series.empty() ? 0 : series.samples().back().number, unrecorded);
}

Series renumbered(const Series& series, std::span<const std::int64_t> steps) {
  const auto step_at = [&](std::int64_t position) { return steps[static_cast<std::size_t>(position) - 1]; };
  Series fresh(series.metric(), series.rank(), series.unit(), series.numbered());
  for (Sample sample : series.samples()) {
    sample.number = step_at(sample.number);
    fresh.append(std::move(sample));
  }
  for (const std::int64_t position : series.unrecorded()) fresh.mark_unrecorded(step_at(position));
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
  std::vector<std::int64_t> steps = numbers_in(words);
  std::string folded, given;
  for (const char c : words)
    if (c != ' ') given += c;
  const bool rise = std::ranges::adjacent_find(steps, std::ranges::greater_equal()) == steps.end();
  if (rise && !steps.empty() && steps.front() > 0)
    for (const char c : ranges(steps))
      if (c != ' ') folded += c;
  if (!folded.empty() && folded == given) return steps;
  return fail("--steps " + printable(words, 80) + ": write rising steps such as 2-15 or 1-7,9-15");
}

bool has_positions(const Baseline& baseline) {
  return std::ranges::any_of(baseline.runs,
                             [](const auto& run) { return std::ranges::any_of(run.series, is_positional); });
}

Status number_positions(Baseline& baseline, std::span<const std::int64_t> steps) {
  const std::vector<Series*> all = positional_series(baseline);
  const auto count = static_cast<std::int64_t>(steps.size());
  for (const Series* series : all)
    if (positions_of(*series) != count)
      return fail("steps " + ranges(steps) + " are " + count_of(count, "step") + ", and the list of " +
                  series->metric() + " holds " + count_of(positions_of(*series), "value"));
  for (Series* series : all) *series = renumbered(*series, steps);
  std::erase_if(baseline.notes, [](const std::string& note) { return note.find(no_steps) != note.npos; });
  return {};
}

}  // namespace gate::schema
