// What the result of a case hangs on, as far as gate knows it: a run that is taken up again keeps a result
// only where all of it is the same.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/judging/case_judge.h"
#include "gate/base/secrets.h"

namespace gate::app {

// Name -> SHA-256.
using Inputs = std::map<std::string, std::string>;

// Return the case's script, baseline, platform, settings (those of the suite too), rules, ARGS, environment
// (`env` alone) and gate's version. Values of secrets count for nothing. Fails where the settings cannot be
// read.
Answer<Inputs> inputs_of(const Suite& suite, const config::Case& spec, const JudgedAgainst& against,
                         const std::string& platform, const std::vector<std::string>& args,
                         const Masker& masker);

// Return what differs, for people: `its script and rules changed`; nothing where all is the same.
std::optional<std::string> changes(const Inputs& before, const Inputs& now);

}  // namespace gate::app
