// What people are told of an attempt.
#pragma once

#include <span>
#include <string>

#include "extract/attempts/record_store.h"
#include "gate/model/extraction.h"

namespace gate::extract {

// Return the attempt with its sources and its first and last step, of its reports where it has no steps; no
// series.
Attempt describe_attempt(const StepTapes& steps, const SamplesByReader& by_reader, std::size_t index,
                         std::span<const std::string> files);

// Make a problem for each step that left values out: `step 3: no lm loss printed, grad norm nan`.
void tell_left_out(const StepTapes& steps, std::size_t attempt, std::span<const Series> series,
                   ProblemLog& problems);

}  // namespace gate::extract
