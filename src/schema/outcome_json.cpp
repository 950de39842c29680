#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "schema/json_report.h"

namespace gate::schema {

namespace {

struct OutcomeWriter {
  JsonOut& out;
  void operator()(const NotStarted& o) const { out.text("why", o.why); }
  void operator()(const Exited& o) const { out.number("code", o.code); }
  void operator()(const Killed& o) const { out.number("signal", o.signal); }
  void operator()(const TimedOut& o) const { write_duration(out, "limit_s", o.limit); }
  void operator()(const Hung& o) const {
    write_duration(out, "silent_s", o.silent);
    write_duration(out, "limit_s", o.limit);
    out.text("during", o.during);
  }
  void operator()(const StoppedEarly& o) const {
    out.text("why", o.reason);
    write_known_duration(out, "rest_s", o.rest);
  }
  void operator()(const Interrupted& o) const { out.number("signal", o.signal); }
  void operator()(const Vanished& o) const { out.text("why", o.why); }
  void operator()(const PastDeadline& o) const { write_duration(out, "limit_s", o.limit); }
  void operator()(const GateFailed& o) const { out.text("why", o.why); }
};

int number(const Fields& fields, std::string_view name) { return fields.small_integer(name).value_or(0); }

struct OutcomeRow {
  std::string_view kind;
  Outcome (*read)(const Fields&);
};
constexpr OutcomeRow outcomes[] = {
    {"not_started", [](const Fields& f) -> Outcome { return NotStarted{f.text("why")}; }},
    {"exited", [](const Fields& f) -> Outcome { return Exited{number(f, "code")}; }},
    {"killed", [](const Fields& f) -> Outcome { return Killed{number(f, "signal")}; }},
    {"timed_out", [](const Fields& f) -> Outcome { return TimedOut{read_duration(f, "limit_s")}; }},
    {"hung",
     [](const Fields& f) -> Outcome {
       return Hung{read_duration(f, "silent_s"), read_duration(f, "limit_s"), f.text("during")};
     }},
    {"stopped_early",
     [](const Fields& f) -> Outcome {
       return StoppedEarly{f.text("why"), read_known_duration(f, "rest_s")};
     }},
    {"interrupted", [](const Fields& f) -> Outcome { return Interrupted{number(f, "signal")}; }},
    {"vanished", [](const Fields& f) -> Outcome { return Vanished{f.text("why")}; }},
    {"past_deadline", [](const Fields& f) -> Outcome { return PastDeadline{read_duration(f, "limit_s")}; }},
    {"gate_failed", [](const Fields& f) -> Outcome { return GateFailed{f.text("why")}; }},
};

}  // namespace

void write_outcome_members(JsonOut& out, const Outcome& outcome) {
  out.text("kind", kind_of(outcome));
  out.text("text", to_string(outcome));
  std::visit(OutcomeWriter{out}, outcome);
}

std::optional<Outcome> read_outcome(const Fields& fields) {
  const std::string kind = fields.required_text("kind");
  for (const OutcomeRow& row : outcomes)
    if (row.kind == kind) return row.read(fields);
  if (!kind.empty())
    fields.complaints().add(fields.json().find("kind")->at,
                            "unknown outcome \"" + printable(kind, 40) + "\"");
  return std::nullopt;
}

void write_duration(JsonOut& out, std::string_view name, Duration duration) {
  out.raw(name, Decimal{duration.count(), -3}.to_string());
}

void write_known_duration(JsonOut& out, std::string_view name, const std::optional<Duration>& duration) {
  if (duration) write_duration(out, name, *duration);
}

Duration read_duration(const Fields& fields, std::string_view name) {
  const Json* json = fields.member(name, Json::Kind::number);
  const auto seconds = json != nullptr ? Decimal::parse(json->text) : std::nullopt;
  const double milliseconds = seconds ? seconds->to_double() * 1000 : 0;
  if (std::abs(milliseconds) < 1e15) return Duration(std::llround(milliseconds));
  fields.complaints().add(json->at, "\"" + std::string(name) + "\" is no plausible number of seconds");
  return {};
}

std::optional<Duration> read_known_duration(const Fields& fields, std::string_view name) {
  if (fields.member(name, Json::Kind::number) == nullptr) return std::nullopt;
  return read_duration(fields, name);
}

}  // namespace gate::schema
