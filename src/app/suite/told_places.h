// What the places of stages and golden files tell of a run.
#pragma once

#include <string>

#include "gate/app/suite.h"

namespace gate::app {

// Return the place with `{case}`, `{run}`, `{test_id}` and `{baseline_id}` told in it. Fails where nothing
// tells one of them: `run` is "" where there is no run yet.
Result<std::string> told_in_place(const Suite& suite, const config::Case& spec, const std::string& run,
                                  std::string place);

}  // namespace gate::app
