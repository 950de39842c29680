// The parts of gate.result/1, each a list of members for both directions.
#pragma once

#include "gate/model/report.h"
#include "schema/json/json_members.h"

namespace gate::schema {

template <class Io>
void members(Io& io, In<Io, CaseReport> report);

template <class Io>
void members(Io& io, In<Io, Check> check);

template <class Io>
void members(Io& io, In<Io, Problem> problem);

template <class Io>
void members(Io& io, In<Io, KnownMessage> message);

template <class Io>
void members(Io& io, In<Io, Outcome> outcome);

template <class Io>
void members(Io& io, In<Io, StageResult> stage);

}  // namespace gate::schema
