// What two baselines differ in. Places in logs are not part of a baseline.
#pragma once

#include <algorithm>
#include <string>

#include "gate/model/runs/baseline.h"

namespace gate::schema {

inline bool same_sample(const Sample& a, const Sample& b) {
  return a.number == b.number && a.value == b.value && a.text == b.text;
}

inline bool same_series(const Series& a, const Series& b) {
  return a.metric() == b.metric() && a.rank() == b.rank() && a.unit() == b.unit() &&
         a.numbered() == b.numbered() && a.assumed() == b.assumed() &&
         a.of_last_steps() == b.of_last_steps() && std::ranges::equal(a.conflicts(), b.conflicts()) &&
         std::ranges::equal(a.unrecorded(), b.unrecorded()) &&
         std::ranges::equal(a.samples(), b.samples(), same_sample);
}

inline bool same_run(const BaselineRun& a, const BaselineRun& b) {
  return a.total == b.total && a.attempts == b.attempts && a.other_jobs == b.other_jobs &&
         a.unfit == b.unfit && std::ranges::equal(a.series, b.series, same_series);
}

inline bool same_provenance(const Provenance& a, const Provenance& b) {
  return a.gate_version == b.gate_version && a.date == b.date && a.host == b.host && a.device == b.device &&
         a.device_count == b.device_count &&
         static_cast<const Fingerprint&>(a) == static_cast<const Fingerprint&>(b) && a.commit == b.commit &&
         a.script_sha256 == b.script_sha256 && a.run == b.run && a.args == b.args && a.set == b.set &&
         a.ended_well == b.ended_well && a.script_switches == b.script_switches;
}

inline bool same_acceptance(const Acceptance& a, const Acceptance& b) {
  return a.who == b.who && a.when == b.when && a.reason == b.reason && a.from == b.from &&
         a.previous_sha256 == b.previous_sha256 && a.despite == b.despite && a.metrics == b.metrics;
}

// Return the name of the first part that differs, or "".
inline std::string difference(const Baseline& a, const Baseline& b) {
  if (a.case_name != b.case_name) return "case";
  if (a.platform != b.platform) return "platform";
  if (a.formats != b.formats) return "formats";
  if (!same_provenance(a.provenance, b.provenance)) return "provenance";
  if (!std::ranges::equal(a.runs, b.runs, same_run)) return "runs";
  if (!std::ranges::equal(a.accepted, b.accepted, same_acceptance)) return "accepted";
  return "";
}

}  // namespace gate::schema
