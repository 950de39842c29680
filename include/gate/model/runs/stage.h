// The stages through which a test of a model hub goes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/model/runs/outcome.h"

namespace gate {

// init: what is asked for is understood; download: model and files are brought; test: the script; compare:
// it is judged; report: test_result.json is written; upload: results are taken away. The last two follow on
// every way to end.
enum class Stage : std::uint8_t { init, download, test, compare, report, upload };
inline constexpr std::array all_stages{Stage::init,    Stage::download, Stage::test,
                                       Stage::compare, Stage::report,   Stage::upload};

std::string_view to_string(Stage stage);
std::optional<Stage> parse_stage(std::string_view name);

// How a stage went.
struct StageResult {
  Stage stage = Stage::init;
  Outcome outcome;    // of its command; Exited with 0 where gate alone did it
  Sentence problem;   // why it failed; "": it did not
  std::string began;  // ISO 8601
  Duration duration{};
  std::string log;  // of its command; "": it has none
  // What is said of processes that outlived its command, and were stopped, or could not be.
  std::vector<Sentence> leftovers = {};

  bool has_failed() const { return !problem.empty(); }
};

}  // namespace gate
