// Telling the receivers of [notify] how a run ended.
#pragma once

#include "gate/app/suite.h"
#include "gate/model/report.h"

namespace gate::cli {

// Send a message to each receiver that wants one, to all at once. What cannot be sent is a warning and
// nothing else; no address and no secret is shown. Returns when the slowest is done or its time is up; where
// the run was interrupted within three seconds, else at the first signal.
void notify(const app::Suite& suite, const Report& report);

}  // namespace gate::cli
