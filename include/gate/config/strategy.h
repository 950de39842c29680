// Strategies of tests, [strategy.NAME]: which cases a run is about, which of their outputs are judged, and
// which stages are done.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/result.h"
#include "gate/model/runs/stage.h"

namespace gate::config {

struct Strategy {
  std::string name;
  std::vector<std::string> cases;    // words as those of `gate run`; none: all
  std::vector<std::string> tags;     // as --tag; none: all
  std::vector<std::string> outputs;  // globs of the names of outputs that are judged; none: all
  std::vector<Stage> stages;         // that are done, test and compare among them; none: all
  Position at;
  std::map<std::string, Position, std::less<>> places = {};  // of the values, by their keys

  // Tell whether the stage is done.
  bool has_stage(Stage stage) const;

  // Tell whether outputs of that name are judged.
  bool has_output(std::string_view output) const;

  // Return the place of the key's value as a mistake names it, `gate.toml:3:11: [strategy.nightly] cases`;
  // where nobody says the key, that of the table.
  std::string place_of(std::string_view key) const;
};

// Return the strategy of that name, or an error with a suggestion that tells the known ones.
Result<Strategy> find_strategy(const std::vector<Strategy>& strategies, std::string_view name);

}  // namespace gate::config
