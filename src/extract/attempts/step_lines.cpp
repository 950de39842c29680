#include "extract/attempts/step_lines.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gate::extract {

std::uint32_t StepLines::Run::distance(std::uint32_t line) const {
  if (line < first) return first - line;
  return line > last ? line - last : 0;
}

std::optional<std::uint32_t> StepLines::Run::distance(std::uint32_t line, std::int64_t step) const {
  const std::optional<Sample> found = steps->find(step);
  if (!found) return std::nullopt;
  return found->line < line ? line - found->line : found->line - line;
}

void StepLines::add(const SampleTape& steps, std::size_t attempt) {
  const Sample first = steps.front();
  files_[first.file].push_back({first.line, steps.back().line, &steps, attempt});
}

void StepLines::sort() {
  for (auto& [file, runs] : files_)
    std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
}

std::optional<std::size_t> StepLines::near(Place place, std::optional<std::int64_t> step) const {
  constexpr std::ptrdiff_t most_looked_at = 64;  // to either side
  const auto file = files_.find(place.file);
  if (file == files_.end()) return std::nullopt;
  const std::vector<Run>& runs = file->second;
  const auto at = std::upper_bound(runs.begin(), runs.end(), place.line,
                                   [](std::uint32_t line, const Run& run) { return line < run.first; });
  const auto begin = at - std::min(at - runs.begin(), most_looked_at);
  const auto end = at + std::min(runs.end() - at, most_looked_at);
  std::pair best{std::numeric_limits<std::uint32_t>::max(), begin};
  for (auto run = begin; step && run != end; ++run)
    if (const auto distance = run->distance(place.line, *step))
      if (*distance < best.first) best = {*distance, run};
  if (best.first != std::numeric_limits<std::uint32_t>::max()) return best.second->attempt;
  return std::min_element(
             begin, end,
             [&](const Run& a, const Run& b) { return a.distance(place.line) < b.distance(place.line); })
      ->attempt;
}

}  // namespace gate::extract
