// A planned case as another start of it needs it: a phase, or the run that `further` asks for.
#pragma once

#include <memory>

#include "gate/places/run_plan.h"

namespace gate::app {

// Return the case with that specification, which it owns.
std::shared_ptr<PlannedCase> with_spec(const PlannedCase& planned, config::Case spec);

// Return the case with the words and variables of a further run.
std::shared_ptr<const PlannedCase> further_case(const PlannedCase& planned,
                                                const config::FurtherRun& further);

// Fails as the launch that `further` may ask for will, before anything is launched.
Status check_further_run(const PlannedCase& planned);

}  // namespace gate::app
