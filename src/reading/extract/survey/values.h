// What the values of a number tell of it: a clock, a constant, how far the run is.
#pragma once

#include <span>

#include "gate/base/sentence.h"
#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

// Return why a number with these values, in the order of the log, is no metric; empty where it may be one.
// They are at least one.
Sentence why_no_metric(const GuessedMetric& guess, std::span<const double> values);

}  // namespace gate::extract
