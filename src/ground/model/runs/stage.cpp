#include "gate/model/runs/stage.h"

#include <algorithm>

namespace gate {

namespace {

constexpr std::array<std::string_view, all_stages.size()> stage_names{"init",    "download", "test",
                                                                      "compare", "report",   "upload"};

}  // namespace

std::string_view to_string(Stage stage) { return stage_names[static_cast<std::size_t>(stage)]; }

std::optional<Stage> parse_stage(std::string_view name) {
  const auto found = std::ranges::find(stage_names, name);
  if (found == stage_names.end()) return std::nullopt;
  return static_cast<Stage>(found - stage_names.begin());
}

}  // namespace gate
