// The sink that a run reports through: plain lines on standard error, and report files that are true at every
// moment.
#pragma once

#include "cli/options.h"
#include "gate/model/event.h"

namespace gate::cli {

// Return a sink that prints one line per event and keeps junit.xml in the run's folder, and the files that
// the options name, up to date.
Sink make_sink(const CommandOptions& options);

}  // namespace gate::cli
