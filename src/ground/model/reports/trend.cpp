#include "gate/model/reports/trend.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

constexpr std::array<std::string_view, 4> runs_by_words{"", "host", "device", "image"};

}  // namespace

std::string_view to_string(RunsBy by) { return runs_by_words.at(static_cast<std::size_t>(by)); }

std::optional<RunsBy> parse_runs_by(std::string_view name) {
  const auto* found = std::ranges::find(runs_by_words, name);
  if (found == runs_by_words.end() || name.empty()) return std::nullopt;
  return static_cast<RunsBy>(found - runs_by_words.begin());
}

}  // namespace gate
