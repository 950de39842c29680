// What a second profile says of a run, for information.
#pragma once

#include <string>

#include "gate/model/report.h"

namespace gate::render {

// Return the name of the profile that judged; "" where it is gate's own.
std::string profile_of(const Report& report);

// Return `under profile gate 6 of 70 would be red: a, b, c, ... and 3 more`, of the cases that a second
// profile judged; "" where there are none.
std::string shadow_words(const Report& report);

// Return `profile gate: regressed, lm_loss step 3: ...` where the second profile's verdict is another one;
// else "".
std::string shadow_words(const CaseReport& of);

}  // namespace gate::render
