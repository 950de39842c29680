// Whose way of judging a case's settings ask for.
#pragma once

#include <optional>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/judge/profile.h"

namespace gate::app {

judge::Profile profile_of(const config::Settings& settings);

// Return the profile that judges a second time; none where there is none, or where it is the first itself.
std::optional<judge::Profile> shadow_of(const config::Settings& settings);

// Return what is wrong with the choice: metrics that no profile knows, and words of the command line that
// neither profile uses.
Diagnostics profile_mistakes(const config::Settings& settings, const config::Subject& subject);

// Say behind the origin of every value that the case's profile leaves aside that it does.
void mark_unused(std::vector<config::Origin>& origins, const config::Settings& settings);

}  // namespace gate::app
