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

bool StepLines::Run::is_beside(const Run& other) const {
  return number + 1 >= other.number && number <= other.number + 1;
}

void StepLines::add(const SampleTape& steps, std::size_t attempt, std::size_t number) {
  const Sample first = steps.front();
  files_[first.file].push_back({first.line, steps.back().line, &steps, attempt, number});
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
