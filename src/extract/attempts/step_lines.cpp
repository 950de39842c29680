#include "extract/attempts/step_lines.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gate::extract {

// To the nearest of its lines: a source may be silent for long, while others run on.
std::uint32_t StepLines::Run::distance(std::uint32_t line) const {
  if (line <= first) return first - line;
  if (line >= last) return line - last;
  const auto behind =
      std::lower_bound(steps->begin(), steps->end(), line,
                       [](const auto& sample, std::uint32_t wanted) { return sample.line < wanted; });
  return std::min(behind->line - line, line - (behind - 1)->line);
}

std::optional<std::uint32_t> StepLines::Run::distance(std::uint32_t line, std::int64_t step) const {
  const std::optional<Sample> found = steps->find(step);
  if (!found) return std::nullopt;
  return found->line < line ? line - found->line : found->line - line;
}

bool StepLines::Run::is_beside(const Run& other) const {
  return number + 1 >= other.number && number <= other.number + 1;
}

void StepLines::add(const SampleTape& steps, std::string_view prefix, std::size_t attempt,
                    std::size_t number) {
  const Sample first = steps.front();
  const Run run{first.line, steps.back().line, &steps, attempt, number};
  files_[first.file].push_back(run);
  prefixes_[{first.file, std::string(prefix)}].push_back(run);
}

void StepLines::sort() {
  const auto sort_runs = [](Runs& runs) {
    std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  };
  for (auto& [file, runs] : files_) sort_runs(runs);
  for (auto& [prefix, runs] : prefixes_) sort_runs(runs);
}

const StepLines::Runs* StepLines::runs_of(std::uint32_t file, std::string_view prefix) const {
  const auto own = prefixes_.find({file, std::string(prefix)});
  if (own != prefixes_.end()) return &own->second;
  const auto all = files_.find(file);
  return all == files_.end() ? nullptr : &all->second;
}

std::optional<std::size_t> StepLines::near(Place place, std::string_view prefix,
                                           std::optional<std::int64_t> step) const {
  constexpr std::ptrdiff_t most_looked_at = 64;  // to either side
  const Runs* found = runs_of(place.file, prefix);
  if (found == nullptr) return std::nullopt;
  const Runs& runs = *found;
  const auto at = std::upper_bound(runs.begin(), runs.end(), place.line,
                                   [](std::uint32_t line, const Run& run) { return line < run.first; });
  const auto begin = at - std::min(at - runs.begin(), most_looked_at);
  const auto end = at + std::min(runs.end() - at, most_looked_at);
  const auto nearest = std::min_element(begin, end, [&](const Run& a, const Run& b) {
    return a.distance(place.line) < b.distance(place.line);
  });
  std::pair best{std::numeric_limits<std::uint32_t>::max(), nearest};
  for (auto run = begin; step && run != end; ++run)
    if (const auto distance = run->distance(place.line, *step); distance && run->is_beside(*nearest))
      if (*distance < best.first) best = {*distance, run};
  return best.second->attempt;
}

}  // namespace gate::extract
