#include "gate/schema/performance_file.h"

#include <map>

#include "schema/json/json_members.h"
#include "schema/performance/performance_members.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_table_values = most_performance_rows * 60;  // a row has 17, a figure 4

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

void members(auto& io, Is<PerformanceTable> auto& table) {
  schema_member(io, "gate.references/1");
  io.known_text_map("files", table.files);
  io.list("rows", table.rows);
}

Result<PerformanceTable> read_performance(std::string_view text, const std::string& file) {
  GATE_TRY_STATUS(check_text(text, file, most_performance_bytes));
  GATE_TRY(const Json document, parse_json(text, file, NonFinite::refused, most_table_values));
  Complaints complaints(text, file);
  const Fields fields(document, complaints);
  PerformanceTable table = MemberReader::read<PerformanceTable>(fields, Others::refused);
  if (document.find("rows") == nullptr) fields.missing("rows");
  check_names(fields);
  if (!complaints.empty()) return tl::unexpected(complaints.error());
  for (const PerformanceRow& row : table.rows)
    for (const PrintedFigure& figure : row.figures)
      if (figure.value.is_zero())
        return fail(file + ": figure " + printable(figure.metric, 80) + " of \"" + printable(row.name, 80) +
                    "\" has no value");
  return table;
}

std::string write_performance(const PerformanceTable& table) { return write_document(table); }

}  // namespace gate::schema
