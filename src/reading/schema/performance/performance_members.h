// The members of a row of published performance, and of what a case of a run was measured to do.
#pragma once

#include <optional>
#include <string_view>

#include "gate/base/text.h"
#include "gate/model/numbers/performance.h"
#include "schema/json/json_members.h"
#include "schema/performance/cell_text.h"

namespace gate::schema {

inline std::optional<Decimal> read_speed(const Fields& fields, std::string_view name) {
  const Json* json = fields.member(name, Json::Kind::number);
  if (json == nullptr) return std::nullopt;
  const auto number = Decimal::parse(json->text);
  if (number && is_published_speed(*number)) return number;
  fields.complaints().add(json->at, "\"" + std::string(name) +
                                        "\" must be a number above 0 (1E-9 to 1E15), " + "not " +
                                        printable(json->text, 40));
  return std::nullopt;
}

template <class Speed>
void speed_member(auto& io, std::string_view name, Speed& speed) {
  io.custom(
      name,
      [&](JsonOut& out) {
        if (speed) out.word(name, speed->to_string());
      },
      [&](const Fields& fields) {
        if constexpr (!std::is_const_v<Speed>) speed = read_speed(fields, name);
      });
}

void members(auto& io, Is<TrainingShape> auto& shape) {
  io.known_text("model", shape.model);
  io.known_text("parameters", shape.parameters);
  io.known_text("sequence", shape.sequence);
  io.known_text("implementation", shape.implementation);
  io.known_text("cluster", shape.cluster);
  io.known_text("precision", shape.precision);
}

void members(auto& io, Is<PrintedFigure> auto& figure) {
  io.required_text("metric", figure.metric);
  io.known_text("unit", figure.unit);
  std::optional<Decimal> value = figure.value;
  speed_member(io, "value", value);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(figure)>>)
    figure.value = value.value_or(Decimal{});
  io.known_text("formula", figure.formula);
}

void members(auto& io, Is<PerformanceRow> auto& row) {
  io.required_text("name", row.name);
  members(io, row.shape);
  io.known_text("unit", row.unit);
  speed_member(io, "measured", row.measured);
  speed_member(io, "reference", row.reference);
  io.known_list("figures", row.figures);
  io.known_text("contributor", row.contributor);
  io.known_text("label", row.label);
  io.known_text("hardware", row.hardware);
  io.known_text("link", row.link);
  io.known_text("source", row.source);
}

void members(auto& io, Is<CasePerformance> auto& performance) {
  members(io, performance.shape);
  io.known_list("figures", performance.figures);
  io.known_object("reference", performance.reference);
}

}  // namespace gate::schema
