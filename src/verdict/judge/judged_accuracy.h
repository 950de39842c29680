// Whether a log that prints an accuracy is judged by one (decision 66).
#pragma once

#include <string>

#include "gate/judge/judge.h"

namespace gate::judge {

// Return why a run is not judged of which no check compares an accuracy, for people: it prints one at more
// than half of its steps, as a metric that is read or in lines that nothing reads. Returns "" where it prints
// none, and where the input is not strict. What counts is lm_loss, reward, policy_loss, and any other number
// that a person would call a loss.
Sentence unjudged_accuracy(const JudgeInput& input);

}  // namespace gate::judge
