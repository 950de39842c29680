// What a script needs to be there before it is started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/launch/runner.h"
#include "gate/model/runs/outcome.h"

namespace gate::launch {

// Return `it needs a, which is not there`, `it needs a, b, which are not there`; of many the first fifty.
Sentence lacking_words(const std::vector<std::string>& lacking);

// Fails with all of the paths that are not there, as this process sees them.
Status check_needs(const std::vector<std::string>& paths);

// Return why the command's script is not to be started: ScriptChanged where it holds something else than what
// was planned, or is gone; NotStarted where it cannot be read. Nothing where it is to, or there is none.
std::optional<Outcome> look_at_script(const Command& command);

}  // namespace gate::launch
