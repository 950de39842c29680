// Comma-separated values as RFC 4180 has them; a line may end in \n alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"

namespace gate::schema {

struct CsvCell {
  std::string text;  // without its quotes and the blanks around it
  std::size_t at = 0;
};

class CsvReader {
 public:
  // Both outlive the reader. A byte order mark and blank lines at the end are passed over.
  CsvReader(std::string_view text, const std::string& file);

  // Read the next row; returns false behind the last one. Fails for quotes in the wrong place or without
  // their end, for a row that has not as many cells as the first, and for more cells than any table has.
  Result<bool> next(std::vector<CsvCell>& row);

 private:
  Status quoted_cell(CsvCell& cell);
  Status plain_cell(CsvCell& cell);
  bool at_row_end() const;
  tl::unexpected<Error> refuse(std::size_t offset, std::string message) const;

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t width_ = 0;  // cells of a row; 0 before the first
};

}  // namespace gate::schema
