#include "gate/schema/performance_file.h"

#include <map>

#include "schema/json/json_members.h"
#include "schema/performance/cell_text.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_table_values = most_performance_rows * 20;  // a row has 16

std::optional<Decimal> read_speed(const Fields& fields, std::string_view name) {
  const Json* json = fields.member(name, Json::Kind::number);
  if (json == nullptr) return std::nullopt;
  const auto number = Decimal::parse(json->text);
  if (number && is_speed(*number)) return number;
  fields.complaints().add(json->at, "\"" + std::string(name) +
                                        "\" must be a number above 0 (1E-9 to 1E15), " + "not " +
                                        printable(json->text, 40));
  return std::nullopt;
}

template <class Io, class Speed>
void speed_member(Io& io, std::string_view name, Speed& speed) {
  io.custom(
      name,
      [&](JsonOut& out) {
        if (speed) out.word(name, speed->to_string());
      },
      [&](const Fields& fields) {
        if constexpr (!std::is_const_v<Speed>) speed = read_speed(fields, name);
      });
}

// A name twice is complained of where it stands again.
void check_names(const Fields& table) {
  std::map<std::string_view, std::size_t> rows;
  std::size_t number = 0;
  for (const Json& row : table.list("rows")) {
    ++number;
    const Json* name = row.find("name");
    if (name == nullptr || name->kind != Json::Kind::text || name->text.empty()) continue;
    if (const auto [first, is_new] = rows.emplace(name->text, number); !is_new)
      table.complaints().add(name->at, "name \"" + printable(name->text, 80) + "\" a second time: row " +
                                           std::to_string(first->second) +
                                           " has it; rename or remove one of them");
  }
  if (number > most_performance_rows)
    table.complaints().add(table.json().find("rows")->at,
                           "more than " + std::to_string(most_performance_rows) + " rows");
}

}  // namespace

template <class Io>
void members(Io& io, In<Io, PerformanceRow> row) {
  io.required_text("name", row.name);
  io.known_text("model", row.shape.model);
  io.known_text("parameters", row.shape.parameters);
  io.known_text("sequence", row.shape.sequence);
  io.known_text("implementation", row.shape.implementation);
  io.known_text("cluster", row.shape.cluster);
  io.known_text("precision", row.shape.precision);
  io.known_text("unit", row.unit);
  speed_member(io, "measured", row.measured);
  speed_member(io, "reference", row.reference);
  io.known_text("contributor", row.contributor);
  io.known_text("label", row.label);
  io.known_text("hardware", row.hardware);
  io.known_text("link", row.link);
  io.known_text("source", row.source);
}

template <class Io>
void members(Io& io, In<Io, PerformanceTable> table) {
  schema_member(io, "gate.references/1");
  io.list("rows", table.rows);
}

Result<PerformanceTable> read_performance(std::string_view text, const std::string& file) {
  GATE_TRY_STATUS(check_size(text, file, most_performance_bytes));
  GATE_TRY(const Json document, parse_json(text, file, NonFinite::refused, most_table_values));
  Complaints complaints(text, file);
  const Fields fields(document, complaints);
  PerformanceTable table = MemberReader::read<PerformanceTable>(fields, Others::refused);
  if (document.find("rows") == nullptr) fields.missing("rows");
  check_names(fields);
  if (!complaints.empty()) return tl::unexpected(complaints.error());
  return table;
}

std::string write_performance(const PerformanceTable& table) { return write_document(table); }

}  // namespace gate::schema
