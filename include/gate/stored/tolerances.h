// `gate baseline lint --tolerances`: do the tolerances fit the noise of the runs?
#pragma once

#include "gate/judge/fit.h"
#include "gate/stored/lint.h"

namespace gate::app {

enum class Write { no, yes };

// Return the fit of each rule of the chosen cases at each of their places, from the latest 200 runs of the
// history that were judged, and the runs of the baseline and of a candidate that is there. Left out are rules
// of constants alone. A rule has one tolerance for all its series: the widest that fits one. With Write::yes
// it is put into gate.toml; what cannot be put there is said, and to be changed by hand. Fails as lint()
// does; with Write::yes (2) where a place is chosen, which a rule does not heed, or --set says rules that
// gate.toml does not, (3) where gate.toml was changed meanwhile, and where it cannot be written.
Answer<judge::FittedRules> fit_tolerances(const Suite& suite, const LintOptions& options, Moment now,
                                          Write write);

}  // namespace gate::app
