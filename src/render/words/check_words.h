// Checks in words.
#pragma once

#include <string>
#include <vector>

#include "gate/model/report.h"
#include "render/words/fold.h"

namespace gate::render {

// Return `lm_loss  14 of 15 steps (1-15) out of ±0.01, largest -0.27 (-11.9 %)`,
// `throughput  mean of steps 6-15  134.17 -> 127.40 TFLOP/s/device, delta -6.77 (-5.05 %), limit -5%
// (127.4615)`, `lm_loss  missing: steps 10-30`: what is checked, and how it went.
std::string headline(const Fold& fold);

// Return the lines that go below it, without indentation: the first and the largest miss, then the notes.
std::vector<std::string> details(const Fold& fold);

// Return of these lines the first and the largest miss.
std::vector<std::string> miss_lines(const Fold& fold);

// Return what the check's numbers count: step, report, time; `value` where they count nothing.
std::string noun(const Check& check);

// Return `mean of steps 6-15`; where every value is compared for itself `15 steps`, or `ok` where they have
// no numbers.
std::string window_words(const Check& check);

}  // namespace gate::render
