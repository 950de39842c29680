#include <utility>

#include "gate/base/text.h"
#include "schema/result/json_report.h"

namespace gate::schema {

template <class Io>
void members(Io& io, In<Io, NotStarted> outcome) {
  io.text("why", outcome.why);
}

template <class Io>
void members(Io& io, In<Io, Exited> outcome) {
  io.number("code", outcome.code);
}

template <class Io>
void members(Io& io, In<Io, Killed> outcome) {
  io.number("signal", outcome.signal);
}

template <class Io>
void members(Io& io, In<Io, TimedOut> outcome) {
  io.duration("limit_s", outcome.limit);
}

template <class Io>
void members(Io& io, In<Io, Hung> outcome) {
  io.duration("silent_s", outcome.silent);
  io.duration("limit_s", outcome.limit);
  io.text("during", outcome.during);
}

template <class Io>
void members(Io& io, In<Io, StoppedEarly> outcome) {
  io.text("why", outcome.reason);
  io.known_duration("rest_s", outcome.rest);
}

template <class Io>
void members(Io& io, In<Io, Interrupted> outcome) {
  io.number("signal", outcome.signal);
}

template <class Io>
void members(Io& io, In<Io, Vanished> outcome) {
  io.text("why", outcome.why);
}

template <class Io>
void members(Io& io, In<Io, PastDeadline> outcome) {
  io.duration("limit_s", outcome.limit);
}

template <class Io>
void members(Io& io, In<Io, GateFailed> outcome) {
  io.text("why", outcome.why);
}

namespace {

// Return an outcome of the kind, with nothing in it yet.
template <std::size_t... kinds>
std::optional<Outcome> outcome_named(std::string_view kind, std::index_sequence<kinds...>) {
  std::optional<Outcome> found;
  const auto look_at = [&](Outcome outcome) {
    if (kind_of(outcome) == kind) found = std::move(outcome);
  };
  (look_at(Outcome(std::in_place_index<kinds>)), ...);
  return found;
}

void read_kind(const Fields& fields, Outcome& outcome) {
  const std::string kind = fields.required_text("kind");
  const auto found = outcome_named(kind, std::make_index_sequence<std::variant_size_v<Outcome>>());
  if (found) outcome = *found;
  if (!found && !kind.empty())
    fields.complaints().add(fields.json().find("kind")->at,
                            "unknown outcome \"" + printable(kind, 40) + "\"");
}

}  // namespace

template <class Io>
void members(Io& io, In<Io, Outcome> outcome) {
  io.custom(
      "kind", [&](JsonOut& out) { out.text("kind", kind_of(outcome)); },
      [&](const auto& fields) { read_kind(fields, outcome); });
  io.custom(
      "text", [&](JsonOut& out) { out.text("text", to_string(outcome)); }, [](const Fields&) {});
  std::visit([&](auto& one) { members(io, one); }, outcome);
}

template void members(MemberWriter& io, const Outcome& outcome);
template void members(MemberReader& io, Outcome& outcome);

}  // namespace gate::schema
