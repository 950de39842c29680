// Files of values between commas, semicolons or tabs, whose head names the columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "extract/survey/log_lines.h"
#include "gate/extract/survey.h"

namespace gate::extract {

// A head and the rows below it.
struct ValueTable {
  char mark = ',';
  std::vector<std::string> names;
  std::vector<std::size_t> lines;               // places of the rows
  std::vector<std::vector<std::string>> cells;  // of the rows; as many as names, "" of an empty one
  bool is_quoted = false;                       // some stand in quotes
};

// Return the first such table of the log, of two rows at least; nothing where there is none. An empty cell
// says that nothing was logged there.
std::optional<ValueTable> find_table(const LogLines& log);

// Return what its columns print, by patterns that count the cells.
SurveyedLines survey_table(const ValueTable& table, const LogLines& log);

}  // namespace gate::extract
