#include "gate/schema/performance_import.h"

#include "gate/base/text.h"
#include "schema/json/json_in.h"
#include "schema/performance/table_readers.h"

namespace gate::schema {

namespace {

enum class TableKind { html, markdown, csv };

TableKind kind_of_file(std::string_view text, std::string_view file) {
  const std::string name = to_lower(file);
  if (name.ends_with(".csv")) return TableKind::csv;
  if (name.ends_with(".html") || name.ends_with(".htm")) return TableKind::html;
  const bool is_markdown = name.ends_with(".md") || name.ends_with(".markdown");
  return is_markdown || has_markup_table(text) ? TableKind::markdown : TableKind::csv;
}

Status check_encoding(std::string_view text, const std::string& file) {
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return {};
  return fail(file + ": is UTF-16; save it as UTF-8");
}

}  // namespace

Result<PerformanceTable> import_performance(std::string_view text, const std::string& file) {
  GATE_TRY_STATUS(check_text(text, file, most_imported_bytes));
  GATE_TRY_STATUS(check_encoding(text, file));
  PerformanceRows rows(text, file);
  const TableKind kind = kind_of_file(text, file);
  if (kind == TableKind::csv) {
    GATE_TRY_STATUS(take_csv_rows(text, file, rows));
  } else {
    take_markup_tables(text, kind == TableKind::html ? Markup::html : Markup::markdown, rows);
  }
  return rows.finish();
}

}  // namespace gate::schema
