#include "gate/render/table_json.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/words/markdown_text.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

constexpr int least_last = 20;  // columns below which the last column is not wrapped

using RowTexts = std::vector<std::string>;

std::vector<int> widths_of(const std::vector<RowTexts>& rows) {
  std::vector<int> widths;
  for (const RowTexts& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  return widths;
}

void put_row(std::string& out, const RowTexts& row, const std::vector<int>& widths, const Style& style) {
  std::string start;
  int indent = 0;  // of the last column: all others are padded to their widths
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    start += pad(i < row.size() ? row[i] : "", widths[i]) + "  ";
    indent += widths[i] + 2;
  }
  const std::string last = row.size() == widths.size() && !row.empty() ? row.back() : "";
  const int room = usable_width(style) - indent,
            usable = room < least_last ? std::max(columns(last), 1) : room;
  for (const std::string& line : wrap(last, usable, 0, style.language)) {
    out += start + line;
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
    start.assign(static_cast<std::size_t>(indent), ' ');
  }
}

std::vector<RowTexts> cells_of(const TextRows& rows, Language language) {
  std::vector<RowTexts> cells;
  for (const TextRow& row : rows)
    cells.push_back(texts_of(row, [&](const Sentence& cell) { return safe(cell.in(language)); }));
  return cells;
}

}  // namespace

std::string table(const TextRows& rows, const Style& style) {
  const std::vector<RowTexts> cells = cells_of(rows, style.language);
  const std::vector<int> widths = widths_of(cells);
  std::string out;
  for (const RowTexts& row : cells) put_row(out, row, widths, style);
  return inert(out);
}

std::string markdown_table(const TextRows& rows, Language language) {
  std::vector<RowTexts> all = cells_of(rows, language);
  const std::size_t count = widths_of(all).size();
  std::string out;
  for (RowTexts& cells : all) {
    cells.resize(count);
    out += markdown_row(cells, MarkdownLinks::kept);
    if (&cells == &all.front()) out += "|" + join(RowTexts(count, " --- "), "|") + "|\n";
  }
  return out;
}

std::string table_json(const TextRows& rows) {
  OutputJson all = OutputJson::array();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    OutputJson object = OutputJson::object();
    for (std::size_t k = 0; k < rows[i].size(); ++k) object[rows[0].at(k).english()] = rows[i][k].english();
    all.push_back(std::move(object));
  }
  return json_text(all);
}

std::string json_text(const OutputJson& json) {
  return json.dump(2, ' ', false, OutputJson::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
