// Files of comma-separated values whose first line names the columns:
//
//   epoch,step,train_loss_step,val_loss
//   0,49,2.3100,
//   0,99,,2.1500
//
// A row is a training step where it holds the loss, else what it holds belongs to its step. An empty cell
// says that nothing was logged there. Each column is a metric: one of the table, else one of the column's own
// name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/records/record.h"

namespace gate::extract {

// What the columns of a format's files mean. Of several columns of one metric the one whose row stands first
// is it. A name that ends with `*` is that of all columns that begin so.
struct CsvColumns {
  std::string_view extractor;                 // "": the format has no such files
  std::string_view literal;                   // stands in each head
  std::span<const std::string_view> needs{};  // the columns by which a head is known
  std::string_view step;                      // the column of the step
  std::string_view loss;                      // the metric that makes a row a training step
  std::span<const FieldRow> fields{};
  std::span<const std::string_view> unread{};  // columns that are no metrics
};

class CsvLines {
 public:
  // The columns outlive the object.
  explicit CsvLines(const CsvColumns& columns) : columns_(&columns) {}

  // Tell whether a head was read: each further line may be a row.
  bool has_head() const { return !heads_.empty(); }

  // Take the line if it is a head, or a row behind one of its file. Sets the record of a row that holds a
  // step and a value, or that has too few or many cells; nothing otherwise.
  bool take(const CleanLine& line, std::size_t extractor, std::optional<Record>& record);

 private:
  struct OwnColumn {
    std::string metric;
    FieldRow row;
  };
  struct Head {
    std::size_t step = 0;                // its place
    std::vector<const FieldRow*> cells;  // nullptr: not read
  };

  std::optional<Head> head_of(std::span<const std::string_view> names);
  const FieldRow* own_row(std::string_view column);

  const CsvColumns* columns_;
  std::map<std::uint32_t, Head> heads_;  // of each file
  std::deque<OwnColumn> own_;
};

}  // namespace gate::extract
