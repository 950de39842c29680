#include "render/words/common_shift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gate::render {

namespace {

constexpr std::size_t fewest_red = 3;

// How far each case moved, in percent.
struct Moves {
  std::vector<double> percent;
  std::size_t red = 0;
};

// Of several ranks or rules the one that moved most.
std::map<std::string, std::pair<double, bool>> moves_of(const CaseReport& one) {
  std::map<std::string, std::pair<double, bool>> moves;
  for (const Check& check : one.checks) {
    const std::optional<double>& percent = check.delta_percent;
    if (!percent) continue;
    auto& [largest, red] = moves[check.metric];
    if (std::abs(*percent) > std::abs(largest)) largest = *percent;
    red |= check.status == CheckStatus::fail;
  }
  return moves;
}

std::map<std::string, Moves> moves_of(const Report& report) {
  std::map<std::string, Moves> all;
  for (const CaseReport& one : report.cases)
    for (const auto& [metric, move] : moves_of(one)) {
      all[metric].percent.push_back(move.first);
      all[metric].red += move.second ? 1 : 0;
    }
  return all;
}

}  // namespace

std::vector<std::string> common_shift(const Report& report) {
  std::vector<std::string> lines;
  for (auto& [metric, moves] : moves_of(report)) {
    if (moves.red < fewest_red) continue;
    const auto middle = moves.percent.begin() + static_cast<std::ptrdiff_t>(moves.percent.size() / 2);
    std::ranges::nth_element(moves.percent, middle);
    const double median = *middle;
    const auto together = static_cast<std::size_t>(std::ranges::count_if(
        moves.percent, [&](double percent) { return std::abs(percent - median) <= std::abs(median) / 2; }));
    if (median == 0 || 4 * together < 3 * moves.percent.size()) continue;
    lines.push_back(
        fmt::format("{}: {} of {} cases moved alike, {:+.2g} % in the median: look for what they share",
                    metric, together, moves.percent.size(), median));
  }
  return lines;
}

}  // namespace gate::render
