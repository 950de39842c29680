// The tables of what a setting has parts of: stages, outputs, phases and the model, with what each row does
// to a Settings.
#pragma once

#include <string_view>

#include "config/toml/toml_values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Assign the value of stages.NAME.KEY, by `NAME.KEY`. Fails for a stage that there is not, for a key that
// this stage does not have, and as its type demands.
Status assign_stage(Settings& settings, std::string_view part, const RawValue& raw);

// Assign the value of outputs.NAME.KEY, by `NAME.KEY`. Fails for a name that none can have, for a key that
// there is not, and as its type demands.
Status assign_output(Settings& settings, std::string_view part, const RawValue& raw);

// The word for the baseline among those that a phase can be judged against: no phase is called so.
inline constexpr std::string_view against_baseline = "baseline";

// Return the names of phases, each once. Fails for one that is none: letters, digits, `_` and `-`.
Result<std::vector<std::string>> read_phases(const RawValue& raw);

// Assign the value of phase.NAME.KEY, by `NAME.KEY` or `NAME.env.VARIABLE`. Fails for a key that there is
// not, and as its type demands.
Status assign_phase(Settings& settings, std::string_view part, const RawValue& raw);

// Assign the value of `model.KEY`. Fails for a key that there is not, and as its type demands.
Status assign_model(Settings& settings, std::string_view key, const RawValue& raw);

}  // namespace gate::config
