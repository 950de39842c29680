// Whose way of judging a case's settings ask for.
#pragma once

#include <optional>

#include "gate/judge/profile.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

judge::Profile profile_of(const config::Settings& settings);

// Return the profile that judges a second time; none if there is none, or if it is the first itself.
std::optional<judge::Profile> shadow_of(const config::Settings& settings);

// Tell whether a failure that is certain under gate's rules may end the run: neither if another profile,
// which may forgive it, makes the verdict, nor if a second one is to see the whole run.
bool may_stop_early(const config::Settings& settings);

// A setting that the chosen profiles cannot use, and why.
struct ProfileMistake {
  std::string key;
  std::string message;
};

// Return what is wrong with the choice: a metric that the profile has no test of, or a word of the command
// line that neither profile nor shadow uses. Of a gate.toml the latter is none: another profile may be tried.
std::optional<ProfileMistake> profile_mistake(const config::Settings& settings,
                                              const config::ResolveRequest& request);

// Say behind the origin of every value that profile or shadow leave aside that they do.
void mark_unused(std::vector<config::SettingOrigin>& origins, const config::Settings& settings);

}  // namespace gate::app
