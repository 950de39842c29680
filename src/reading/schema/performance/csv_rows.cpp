#include <memory>

#include "schema/output/csv_table.h"
#include "schema/performance/table_readers.h"

namespace gate::schema {

namespace {

CellRow row_of_cells(const std::vector<CsvCell>& cells) {
  CellRow row;
  for (const CsvCell& one : cells) {
    if (row.size() == most_table_columns) break;
    CellText text;
    text.add(one.text);
    row.push_back(std::make_shared<const TableCell>(TableCell{text.text(), "", one.at, text.is_cut()}));
  }
  return row;
}

}  // namespace

Status take_csv_rows(std::string_view text, const std::string& file, PerformanceRows& rows) {
  CsvReader reader(text, file);
  std::vector<CsvCell> cells;
  rows.begin_table("");
  while (!rows.is_full() && !rows.is_passed_over()) {
    GATE_TRY(const bool is_more, reader.next(cells));
    if (!is_more) break;
    rows.take(row_of_cells(cells), cells.front().at);
  }
  return {};
}

}  // namespace gate::schema
