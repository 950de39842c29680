// Numbers of a report as people read them.
#pragma once

#include <string>

#include "gate/base/time.h"

namespace gate::render {

// Return the number in plain notation with the digits it was printed with: 10.47114 for 1.047114E+01. A text
// that is no number stays as it is.
std::string plain(const std::string& text);

// Return the delta in plain notation and with its sign, +0.01104, also where the text has none.
std::string signed_delta(const std::string& baseline, const std::string& actual, const std::string& delta);

// Return the duration in seconds with three decimals: `12.345`.
std::string seconds(Duration duration);

// Return a percentage rounded for a glance: `-0.4 %`, `+28.8 %`, below a tenth `+0.04 %`. A text that is none
// stays.
std::string short_percent(const std::string& text);

}  // namespace gate::render
