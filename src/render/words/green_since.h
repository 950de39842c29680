// Since when a case is red.
#pragma once

#include <string>

#include "gate/model/report.h"

namespace gate::render {

// Return `green until 3f2a1c7, 14 commits ago`, counted in runs where nobody can count the commits; "" where
// no green run is known.
std::string since_words(const CaseReport& of);

}  // namespace gate::render
