// The parts of gate.result/1, as members of an object that is open.
#pragma once

#include "gate/model/report.h"
#include "schema/json_fields.h"
#include "schema/json_out.h"

namespace gate::schema {

void write_case_members(JsonOut& out, const CaseReport& report);
CaseReport read_case_members(const Fields& fields);

void write_outcome_members(JsonOut& out, const Outcome& outcome);
std::optional<Outcome> read_outcome(const Fields& fields);

void write_check_members(JsonOut& out, const Check& check);
Check read_check(const Fields& fields);

void write_problem_members(JsonOut& out, const Problem& problem);
Problem read_problem(const Fields& fields);

void write_message_members(JsonOut& out, const KnownMessage& message);
KnownMessage read_message(const Fields& fields);

// Durations are decimal seconds with three places.
void write_duration(JsonOut& out, std::string_view name, Duration duration);
Duration read_duration(const Fields& fields, std::string_view name);
void write_known_duration(JsonOut& out, std::string_view name, const std::optional<Duration>& duration);
std::optional<Duration> read_known_duration(const Fields& fields, std::string_view name);

}  // namespace gate::schema
