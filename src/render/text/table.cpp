#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/words/columns.h"
#include "render/words/markdown_text.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

using Row = std::vector<std::string>;

constexpr int least_last = 20;  // columns below which the last column is not wrapped

std::vector<Row> made_safe(std::vector<Row> rows) {
  for (Row& row : rows)
    for (std::string& cell : row) cell = safe(cell);
  return rows;
}

std::vector<int> widths_of(const std::vector<Row>& rows) {
  std::vector<int> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  return widths;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// Return where the last column begins: all others are padded to their widths.
int start_of_last(const std::vector<int>& widths) {
  int start = 0;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) start += widths[i] + 2;
  return start;
}

void put_row(std::string& out, const Row& row, const std::vector<int>& widths, int width) {
  std::string start;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i)
    start += pad(i < row.size() ? row[i] : "", widths[i]) + "  ";
  const std::string last = row.size() == widths.size() && !row.empty() ? row.back() : "";
  const int indent = start_of_last(widths), room = width - indent;
  const int usable = room < least_last ? std::max(columns(last), 1) : room;
  for (const std::string& line : wrap(last, usable, 0)) {
    out += without_trailing_blanks(start + line) + "\n";
    start.assign(static_cast<std::size_t>(indent), ' ');
  }
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows, const Style& style) {
  const std::vector<Row> cells = made_safe(rows);
  const std::vector<int> widths = widths_of(cells);
  std::string out;
  for (const Row& row : cells) put_row(out, row, widths, usable_width(style));
  return inert(out);
}

std::string markdown_table(const std::vector<std::vector<std::string>>& rows) {
  const std::size_t count = widths_of(rows).size();
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row cells = rows[r];
    cells.resize(count);
    out += markdown_row(cells);
    if (r == 0) out += "|" + join(Row(count, " --- "), "|") + "|\n";
  }
  return out;
}

}  // namespace gate::render
