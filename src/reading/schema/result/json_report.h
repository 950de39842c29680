// The parts of gate.result/1, each a list of members for both directions.
#pragma once

#include "gate/model/reports/report.h"
#include "schema/json/json_members.h"

namespace gate::schema {

void members(auto& io, Is<CaseReport> auto& report);
void members(auto& io, Is<Check> auto& check);
void members(auto& io, Is<Problem> auto& problem);
void members(auto& io, Is<KnownMessage> auto& message);
void members(auto& io, Is<Outcome> auto& outcome);
void members(auto& io, Is<StageResult> auto& stage);
void members(auto& io, Is<PolicyFinding> auto& finding);

}  // namespace gate::schema
