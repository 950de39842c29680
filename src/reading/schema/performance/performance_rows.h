// The rows of tables, of whatever kind of file, as a performance table, and what their heads say of the
// columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/numbers/performance.h"
#include "gate/schema/performance_file.h"
#include "schema/json/json_fields.h"
#include "schema/performance/cell_text.h"

namespace gate::schema {

enum class PerformanceColumn : std::uint8_t {
  model,
  parameters,
  sequence,
  implementation,
  cluster,
  precision,
  measured,
  reference,
  contributor,
  label,
  hardware,
  unit,
  link,
  parallel,
  configuration,
  first_metric  // the first of those that are named by their metrics
};

inline constexpr std::size_t performance_columns = 28,
                             first_figure = static_cast<std::size_t>(PerformanceColumn::first_metric);

std::string_view to_string(PerformanceColumn column);

struct TableHead {
  PerformanceColumn column = PerformanceColumn::model;
  std::string unit;  // of numbers below it; "": not told
};

// Return what the head of a column says, nothing where it is none of those in performance_heads().
std::optional<TableHead> table_head(std::string_view text);

// Return what a number below the head of a figure is multiplied by, where the head tells that unit; nothing
// where it is none of the metric.
std::optional<std::int64_t> figure_factor(std::string_view metric, std::string_view unit);

// Return the heads of the column: `模型, model`.
std::string_view heads_of(PerformanceColumn column);

inline constexpr std::size_t most_table_columns = 256;  // what is behind is passed over

// The cell of each column; nullptr where there is none. Cells that go over several columns or rows stand in
// each of them.
using CellRow = std::vector<std::shared_ptr<const TableCell>>;

class PerformanceRows {
 public:
  PerformanceRows(std::string_view text, const std::string& file);

  // Begin a table, of trainings on that hardware, in that framework; "" where it is not told.
  void begin_table(std::string hardware, std::string_view framework = "");

  // Take the next row of the file, whose own cells begin at the offset or behind it.
  void take(const CellRow& row, std::size_t at);

  // Tell whether a head has not come by now, and will not.
  bool is_passed_over() const { return !has_head_ && rows_of_table_ >= most_rows_before; }

  // Tell whether there are more rows than may be: the rest of the file tells nothing.
  bool is_full() const { return rows_taken_ > most_performance_rows; }

  // Return the table, or all that is wrong.
  Result<PerformanceTable> finish();

 private:
  static constexpr std::size_t most_rows_before = 3;

  struct Column {
    std::optional<std::size_t> index;
    std::string unit;
  };

  bool take_head(const CellRow& row);
  void take_model(const CellRow& row);
  void take_row(const CellRow& row, std::size_t at);
  void take_configuration(const CellRow& row, std::size_t at);
  std::optional<PrintedFigure> figure(const CellRow& row, std::size_t column, std::string_view size);
  std::optional<PrintedFigure> computed_speed(const CellRow& row, std::string_view size) const;
  bool has_cell(const CellRow& row, PerformanceColumn column) const;
  const TableCell& cell(const CellRow& row, PerformanceColumn column) const;
  std::string text(const CellRow& row, PerformanceColumn column);
  std::optional<Decimal> number(const CellRow& row, PerformanceColumn column);
  TrainingShape shape(const CellRow& row, std::size_t at);
  std::string unit_of(const CellRow& row);
  Column& column(PerformanceColumn column) { return columns_.at(static_cast<std::size_t>(column)); }
  std::string source(const CellRow& row, std::size_t at);
  std::size_t line_of(std::size_t offset);
  void name_rows();

  std::string_view text_;
  const std::string& file_;
  Complaints complaints_;
  PerformanceTable table_;
  std::vector<std::size_t> places_;  // of the rows
  std::array<Column, performance_columns> columns_;
  std::string hardware_, model_;        // of the table; of the row above
  std::string framework_, told_model_;  // of tables of configurations
  bool has_head_ = false, is_of_configurations_ = false;
  std::size_t rows_of_table_ = 0, rows_taken_ = 0, last_at_ = 0, heads_ = 0;
  std::size_t counted_to_ = 0, line_ = 1;
};

}  // namespace gate::schema
