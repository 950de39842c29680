// What a hub is told of a test: UpdateModelCI.
#pragma once

#include <string>

#include "gate/config/worker.h"
#include "worker/journal.h"

namespace gate::worker {

// Return the message: Id, ModelId, CommitId, CiStatus, ResultURL, and ExternalArgsInfo with ImageName, JobID,
// Status, Stage, ReportURL, OutputURL, LogURL, Passed, MetricValue, Metric, Threshold, BaselineId, TestType,
// Reason, StatusConfirmed, UpdatedDate. Ids go out as they came in. Passed and MetricValue are null where
// nothing was compared. StatusConfirmed is true of a state that will not change.
std::string notice_of(const HubTest& test, const config::WorkerSettings& settings);

}  // namespace gate::worker
