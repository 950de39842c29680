// Telling the receivers of [notify] how a run ended.
#pragma once

#include <functional>
#include <vector>

#include "gate/base/secrets.h"
#include "gate/config/receiver.h"
#include "gate/model/reports/report.h"

namespace gate::publish {

// What a person or CI sent to gate.
struct Signals {
  std::function<bool()> caught;         // one
  std::function<bool()> second_signal;  // a second one
};

// Send a message to each receiver that wants one, to all at once. What cannot be sent is a warning and
// nothing else; no address and no secret is shown. Returns when the slowest is done or its time is up; where
// the run was interrupted within three seconds, else at the first signal.
void notify(const std::vector<config::Receiver>& receivers, const Report& report, const Masker& masker,
            const Signals& signals);

}  // namespace gate::publish
