// The parts of gate.result/1, each a list of members for both directions.
#pragma once

#include "gate/model/numbers/metric.h"
#include "gate/model/reports/report.h"
#include "schema/json/json_members.h"

namespace gate::schema {

// A word of a vocabulary that is written where it is another than usual, and absent is the usual one.
template <class T>
void unusual_member(auto& io, std::string_view name, auto& value, T usual,
                    std::optional<T> (*parse)(std::string_view)) {
  io.custom(
      name,
      [&](JsonOut& out) {
        if (value != usual) out.text(name, to_string(value));
      },
      [&](const auto& fields) {
        value = fields.text(name).empty() ? usual : fields.named(name, parse, usual);
      });
}

// What a check says of its metric: left out where the built-in table says the same.
void nature_members(auto& io, const std::string& metric, auto& check) {
  const Metric built_in = MetricTable().get(metric);
  unusual_member(io, "kind", check.kind, built_in.kind, parse_metric_kind);
  unusual_member(io, "better", check.better, built_in.better, parse_better);
}

void members(auto& io, Is<CaseReport> auto& report);
void members(auto& io, Is<Check> auto& check);
void members(auto& io, Is<Problem> auto& problem);
void members(auto& io, Is<KnownMessage> auto& message);
void members(auto& io, Is<Outcome> auto& outcome);
void members(auto& io, Is<StageResult> auto& stage);
void members(auto& io, Is<PolicyFinding> auto& finding);

}  // namespace gate::schema
