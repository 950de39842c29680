// What a check measured, rounded to its noise.
//
// Two runs of the same code measure 133.6 and 134.2, and a reader that shows every number that changed would
// show both each time. How much of a change matters is what the tolerance says: a value that is apart from
// its baseline by at most half of what the tolerance allows is given as the baseline itself, and one that is
// further apart is rounded to a tenth of what the tolerance allows, down to a power of ten. Where no baseline
// says what is allowed (`>= 0.75`), three digits are kept.
#pragma once

#include <optional>
#include <string>

#include "gate/model/reports/report.h"

namespace gate::render {

// Numbers as text, "" where there is none. Where each value is compared for itself there is only `used`:
// which value lies furthest apart differs from run to run.
struct Figures {
  std::string baseline;
  std::string actual;
  std::string margin;
  std::string used;  // of the tolerance: 0 is the baseline, 1 the limit; beyond it never rounded down to 1
};

Figures figures_of(const Check& check);

// Return how much of its tolerance the check uses, exactly: 0 is the baseline, 1 the limit. None where no
// single baseline and limit say so, or the run has no finite value.
std::optional<double> used_share(const Check& check);

}  // namespace gate::render
