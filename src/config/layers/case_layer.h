// What the file of a case sets: the #GATE lines of a script, or what model_config.yaml of Megatron-LM's
// functional tests means for gate.
#pragma once

#include <string>
#include <string_view>

#include "config/layers/layers.h"
#include "gate/config/names.h"

namespace gate::config {

// Return the settings of the case's file, validated, with its mistakes added.
//
// Of model_config.yaml: each of ENV_VARS is a variable; METRICS is `compare`; BEFORE_SCRIPT is `setup`; the
// steps are those of --exit-interval, else --train-iters; TEST_TYPE is a tag; SKIP_PYTEST=1 is
// `judge = "exit"`, NVTE_ALLOW_NONDETERMINISTIC_ALGO=1 `allow_nondeterministic`.
Layer read_case_layer(CaseKind kind, std::string_view text, const std::string& file, Diagnostics& mistakes);

}  // namespace gate::config
