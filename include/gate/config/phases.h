// The phases of a case: `phases = ["full", "resume"]` starts its script once for each, one behind the other,
// with a folder for checkpoints that all of them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/rules/rule.h"

namespace gate::config {

struct Settings;

// What is said of one phase: phase.NAME.KEY.
struct CasePhase {
  // To what the phase is held: each value of kind accuracy exactly, or all rules of the case, with what it is
  // against in place of the baseline.
  enum class Tolerance : std::uint8_t { exact, rules };

  std::vector<std::string> args;           // behind all others
  std::map<std::string, std::string> env;  // over the case's
  std::string against;                     // a phase before it, or `baseline`; "": see phase_against()
  std::optional<Window> window;            // in place of the rules' own
  std::optional<Tolerance> tolerance;      // nobody said it: exact, or rules where it is against the baseline
  std::optional<int> from;  // the step after whose checkpoint it goes on: gate makes that the newest one
};

// Return how often the script of the case is started: once for each phase, once where it has none.
std::size_t count_starts(const Settings& settings);

// Return the name of the phase at the place, "" where the case has none.
std::string phase_name(const Settings& settings, std::size_t phase);

// Return what is said of the phase at the place.
const CasePhase& phase_at(const Settings& settings, std::size_t phase);

// Return the phase against which that one is judged: where nobody says which, the first one; nothing where it
// is judged against the baseline, as the first one always is.
std::optional<std::size_t> phase_against(const Settings& settings, std::size_t phase);

// Tell whether the script is given a folder for checkpoints, GATE_CHECKPOINT_DIR.
bool has_checkpoints(const Settings& settings);

inline constexpr std::string_view all_checkpoints = "{checkpoints}/**";  // of `artifacts`

// Tell whether that folder stays when the run is over.
bool keeps_checkpoints(const Settings& settings);

}  // namespace gate::config
