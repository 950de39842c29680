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

// Fail where the profile has no test of a metric that the case's own file names.
Status check_recipe(const config::Settings& settings);

// Return what is said for the case, and its profile does not use: each rule and metric once. Beside the
// shadow gate, which uses all of it, these alone.
std::vector<config::SettingOrigin> passed_over(const config::Case& spec);

// Return it for people, with places: `profile modellink does not use rules.lm_loss (gate.toml:6:13)`, and
// that the shadow gate does; "" where there is none.
Sentence passed_over_words(const config::Case& spec);

// Say behind the origin of every value that profile or shadow leave aside that they do.
void mark_unused(std::vector<config::SettingOrigin>& origins, const config::Settings& settings);

}  // namespace gate::app
