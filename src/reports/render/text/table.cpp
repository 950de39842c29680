#include "gate/render/table_json.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/words/markdown_text.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

constexpr int least_last = 20;  // columns below which the last column is not wrapped

std::vector<int> widths_of(const TextRows& rows) {
  std::vector<int> widths;
  for (const TextRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  return widths;
}

void put_row(std::string& out, const TextRow& row, const std::vector<int>& widths, int width) {
  std::string start;
  int indent = 0;  // of the last column: all others are padded to their widths
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    start += pad(i < row.size() ? row[i] : "", widths[i]) + "  ";
    indent += widths[i] + 2;
  }
  const std::string last = row.size() == widths.size() && !row.empty() ? row.back() : "";
  const int room = width - indent, usable = room < least_last ? std::max(columns(last), 1) : room;
  for (const std::string& line : wrap(last, usable, 0)) {
    out += start + line;
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
    start.assign(static_cast<std::size_t>(indent), ' ');
  }
}

}  // namespace

std::string table(const TextRows& rows, const Style& style) {
  TextRows cells = rows;
  for (TextRow& row : cells)
    for (std::string& cell : row) cell = safe(cell);
  const std::vector<int> widths = widths_of(cells);
  std::string out;
  for (const TextRow& row : cells) put_row(out, row, widths, usable_width(style));
  return inert(out);
}

std::string markdown_table(const TextRows& rows) {
  const std::size_t count = widths_of(rows).size();
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    TextRow cells = rows[r];
    cells.resize(count);
    out += markdown_row(cells, MarkdownLinks::kept);
    if (r == 0) out += "|" + join(TextRow(count, " --- "), "|") + "|\n";
  }
  return out;
}

std::string table_json(const std::vector<std::vector<std::string>>& rows) {
  OutputJson all = OutputJson::array();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    OutputJson object = OutputJson::object();
    for (std::size_t k = 0; k < rows[i].size(); ++k) object[rows[0].at(k)] = rows[i][k];
    all.push_back(std::move(object));
  }
  return json_text(all);
}

std::string json_text(const OutputJson& json) {
  return json.dump(2, ' ', false, OutputJson::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
