// A case as one more run of it is started, by what `on_slow` and `on_red` say.
#pragma once

#include "app/plan/run_plan.h"

namespace gate::app {

// The case with the words and variables of a further run.
class FurtherCase {
 public:
  FurtherCase(const PlannedCase& planned, const config::FurtherRun& further);
  FurtherCase(const FurtherCase&) = delete;
  FurtherCase& operator=(const FurtherCase&) = delete;

  // Not longer than this lives.
  const PlannedCase& planned() const { return planned_; }

 private:
  config::Case spec_;
  PlannedCase planned_;
};

// Fails as the launches that `on_slow` and `on_red` may ask for will, before anything is launched.
Status check_further_runs(const PlannedCase& planned);

}  // namespace gate::app
