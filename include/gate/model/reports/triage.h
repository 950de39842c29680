// A suite that moved: which cases moved with the rest, and which stand apart. Found by judge/triage.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/numbers/metric.h"

namespace gate {

// How far one case moved in one metric.
struct Move {
  std::string case_name;
  std::string place;  // see place_word()
  std::string metric;
  double percent = 0;
  std::optional<double> spike = {};  // percent, of the value that moved farthest; where each is compared
  std::int64_t spike_at = 0;         // the step, or what the metric is numbered by
  Numbering numbered = Numbering::step;
  double units = 0;  // from the suite: by its move or its spike, whichever is farther
  bool by_spike = false;
};

struct MetricTriage {
  std::string metric;
  std::size_t cases = 0;
  std::size_t together = 0;
  double median = 0, least = 0, most = 0;  // percent, of the moves of those together
  double noise = 0;                        // percent: what of these moves chance does

  // Tell whether those together moved, by more than chance does.
  bool is_shift() const { return together > 0 && (median < 0 ? -median : median) > noise; }
};

struct Triage {
  std::vector<MetricTriage> metrics;  // by name; of three cases or more, where anything moved
  std::vector<Move> apart;            // the farthest first
  std::vector<Move> together;         // likewise
};

}  // namespace gate
