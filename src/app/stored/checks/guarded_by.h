// What stands behind the verdicts of a case at a place.
#pragma once

#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/runs/baseline.h"
#include "gate/suite/suite.h"

namespace gate::app {

inline constexpr std::size_t looked_at_runs = 200;  // of a case's history

// What a case is guarded by at a place; `why_not` says why nothing is, else it is "".
struct GuardedBy {
  Sentence why_not;
  bool unreadable = false;
  std::vector<store::BaselineFile> files;
  Reference reference;
};

// Return what guards the case there.
GuardedBy guarded_by(const Suite& suite, const config::Case& spec, const store::BaselinePlace& place);

}  // namespace gate::app
