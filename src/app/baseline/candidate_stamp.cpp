#include "app/baseline/candidate_stamp.h"

namespace gate::app {

void stamp(Baseline& candidate, const store::Place& place, const std::string& file, Moment now) {
  candidate.case_name = place.case_name;
  candidate.platform = place.platform;
  candidate.provenance.gate_version = GATE_VERSION;
  candidate.provenance.date = to_iso(now);
  candidate.provenance.run = file;
  candidate.accepted.clear();
}

std::string null_refusal(const Baseline& baseline) {
  return baseline.null_value + " is null: no value was measured there; record the case again";
}

}  // namespace gate::app
