// The sink that a run reports through: lines on standard error, or a status block on a terminal.
#pragma once

#include "cli/options/options.h"
#include "gate/model/reports/event.h"

namespace gate::cli {

// Return a sink that prints what the options want to see of events. Report files are the publisher's.
Sink make_sink(const CommandOptions& options);

}  // namespace gate::cli
