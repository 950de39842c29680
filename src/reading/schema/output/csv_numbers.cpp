#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/numbers/guessed_metric.h"
#include "schema/json/json_tape.h"
#include "schema/output/csv_table.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

bool is_header(const std::vector<CsvCell>& row) {
  return std::ranges::none_of(row, [](const CsvCell& cell) { return number_of_word(cell.text).has_value(); });
}

std::vector<std::string> names_in(const std::vector<CsvCell>& header) {
  return texts_of(header, &CsvCell::text);
}

// Which cells of a row are taken: `count` from `first` on.
struct Columns {
  std::size_t first = 0;
  std::size_t count = 0;
};

class CsvNumbers {
 public:
  CsvNumbers(std::string_view text, std::string_view key, const std::string& file)
      : text_(text), key_(key), file_(file) {}

  Result<Numbers> read() {
    CsvReader reader(text_, file_);
    std::vector<CsvCell> row;
    GATE_TRY(bool more, reader.next(row));
    const bool has_header = more && is_header(row);
    GATE_TRY(const Columns columns, has_header ? named_columns(row) : all_columns(row));
    if (has_header) {
      GATE_TRY(more, reader.next(row));
    }
    Numbers numbers;
    std::size_t rows = 0;
    for (; more; ++rows) {
      if (step_ && *step_ < row.size())
        if (const auto step = parse_integer(row[*step_].text)) numbers.steps.push_back(*step);
      for (std::size_t column = columns.first; column < columns.first + columns.count; ++column) {
        GATE_TRY(const double value, number(row[column]));
        numbers.values.push_back(value);
      }
      GATE_TRY(more, reader.next(row));
    }
    if (numbers.steps.size() != rows) numbers.steps.clear();
    numbers.is_named = has_header;
    numbers.shape = columns.count == 1 ? shape_of({rows}) : shape_of({rows, columns.count});
    return numbers;
  }

 private:
  Result<Columns> named_columns(const std::vector<CsvCell>& header) {
    const auto step = std::ranges::find_if(
        header, [&](const CsvCell& cell) { return cell.text != key_ && names_step(cell.text); });
    if (step != header.end()) step_ = static_cast<std::size_t>(step - header.begin());
    if (key_.empty() && header.size() == 1) return Columns{0, 1};
    if (key_.empty())
      return refuse(header[0].at, "has several columns: choose one with a key: " +
                                      some_names(names_in(header), header.size()));
    const auto column = std::ranges::find(header, key_, &CsvCell::text);
    if (column == header.end())
      return refuse(header[0].at, "no column \"" + printable(key_, 80) + "\"" +
                                      suggestion(key_, names_in(header)) + "; it has " +
                                      some_names(names_in(header), header.size()));
    if (const auto again = std::find_if(std::next(column), header.end(),
                                        [&](const CsvCell& cell) { return cell.text == key_; });
        again != header.end())
      return refuse(again->at, "a second column \"" + printable(key_, 80) + "\"; rename one of them");
    return Columns{static_cast<std::size_t>(column - header.begin()), 1};
  }

  Result<Columns> all_columns(const std::vector<CsvCell>& row) const {
    if (key_.empty()) return Columns{0, row.size()};
    return refuse(0, "no column \"" + printable(key_, 80) +
                         "\": its first line holds numbers, not the names of columns; write them into one "
                         "before it, or choose no key");
  }

  Result<double> number(const CsvCell& cell) const {
    if (const auto value = number_of_word(cell.text)) return *value;
    const bool is_other = cell.text.find_first_of(";\t") != std::string::npos;
    return refuse(cell.at, why_no_number(cell.text) + (is_other ? "; columns stand between commas" : ""));
  }

  tl::unexpected<Error> refuse(std::size_t offset, std::string message) const {
    return tl::unexpected(error_at(text_, offset, file_, std::move(message)));
  }

  std::string_view text_, key_;
  const std::string& file_;
  std::optional<std::size_t> step_ = {};  // the column that tells the step of a row
};

}  // namespace

Result<Numbers> read_csv_numbers(std::string_view text, std::string_view key, const std::string& file) {
  GATE_TRY_STATUS(check_text(text, file, max_tape_bytes));
  return CsvNumbers(text, key, file).read();
}

}  // namespace gate::schema
