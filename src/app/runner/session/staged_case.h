// A case that goes through stages: what is brought before its script, and what is reported and taken away
// behind it, on every way to end.
#pragma once

#include <functional>
#include <string>

#include "runner/course/course.h"
#include "runner/session/run_session.h"

namespace gate::app {

// Do the stages of the case - all, or the one of --only -, and return its report. Without --only the test is
// launched and judged as `row` says; in a run that makes a baseline nothing is compared, and what the test
// wrote is put where baselines are once it has passed. A stage before the test that fails makes the case
// infra; report and upload follow in any case, and make a case that has passed infra if they fail. `follow`
// goes through the course of a row.
CaseReport run_stages(RunSession& session, const PlannedCase& planned, const std::string& today,
                      CourseRow& row, const std::function<CaseReport(CourseRow&)>& follow);

}  // namespace gate::app
