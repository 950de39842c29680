// Series written as a log and read back, as the attempts of one run.
#pragma once

#include "gate/judge/selftest.h"

namespace gate::app {

// Return what writes runs as the attempts of one log, one value a line, and extracts it.
judge::Replay replay(const MetricTable& metrics);

}  // namespace gate::app
