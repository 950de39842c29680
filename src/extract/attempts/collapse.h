// Samples of one metric from all sources of an attempt to one series.
#pragma once

#include <string>
#include <vector>

#include "extract/records/record.h"
#include "gate/model/metric.h"
#include "gate/model/series.h"

namespace gate::extract {

// A number that was printed more than once.
struct Repeat {
  std::int64_t number = 0;
  Place place;          // of the second printing
  std::string text;     // what differs, for people; "" where all values were equal
  bool picked = false;  // the metric says which value is meant
};

// Return the series of the samples, in whatever order they come; where they rise already, in O(1). A left-out
// value gives way to a printed one. Equal values collapse; of different ones the metric's pick is taken (one
// that is not finite always is, lest it vanish), else the first, and the number is marked as in conflict.
Series collapse(SampleTape tape, const Metric& metric, std::optional<int> rank, std::vector<Repeat>& repeats);

}  // namespace gate::extract
