#include <algorithm>
#include <memory>

#include "gate/base/text.h"
#include "schema/performance/html_tags.h"
#include "schema/performance/table_readers.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_span = 1000;

// Return over how many rows or columns a cell goes; 0 means all that follow.
std::size_t span_of(const HtmlToken& tag, std::string_view name) {
  const auto number = parse_integer(attribute_of(tag, name));
  if (!number || *number < 0) return 1;
  return *number == 0 ? most_span : static_cast<std::size_t>(std::min<std::int64_t>(*number, most_span));
}

// Follows the tags of one table, and makes rows of its cells.
class HtmlTable {
 public:
  HtmlTable(std::string_view text, PerformanceRows& rows) : text_(text), rows_(rows) {}

  std::size_t read(std::size_t at) {
    at = html_token(text_, at).end;
    while (at < text_.size() && !rows_.is_full()) {
      at = std::min(text_.find('<', at), text_.size());
      if (at == text_.size()) break;
      const HtmlToken token = html_token(text_, at);
      if (token.name == "table") return end_row(at), token.closes ? token.end : at;
      take(token, at);
      at = token.end;
    }
    end_row(at);
    return text_.size();
  }

 private:
  // A cell over several rows, and how many of them are to come.
  struct Span {
    std::shared_ptr<const TableCell> cell;
    std::size_t left = 0;
  };

  void take(const HtmlToken& tag, std::size_t at) {
    if (rows_.is_passed_over()) return;
    if (tag.name == "td" || tag.name == "th") {
      end_cell(at);
      if (!tag.closes) begin_cell(tag, at);
    } else if (tag.name == "tr") {
      end_row(at);
      if (!tag.closes) begin_row(at);
    } else if (tag.name == "thead" || tag.name == "tbody" || tag.name == "tfoot") {
      end_row(at);
      spans_.clear();  // no cell goes over the end of its section
    }
  }

  void begin_row(std::size_t at) {
    is_row_open_ = true;
    row_at_ = at;
    free_ = 0;
    row_.assign(spans_.size(), nullptr);
    for (std::size_t column = 0; column < spans_.size(); ++column) {
      Span& span = spans_[column];
      if (span.left == 0) continue;
      row_[column] = span.cell;
      --span.left;
    }
  }

  void begin_cell(const HtmlToken& tag, std::size_t at) {
    if (!is_row_open_) begin_row(at);
    is_cell_open_ = true;
    cell_at_ = at;
    content_at_ = tag.end;
    rows_of_cell_ = span_of(tag, "rowspan");
    columns_of_cell_ = span_of(tag, "colspan");
  }

  void end_cell(std::size_t at) {
    if (!is_cell_open_) return;
    is_cell_open_ = false;
    const auto cell =
        std::make_shared<const TableCell>(html_cell(text_.substr(content_at_, at - content_at_), cell_at_));
    while (free_ < row_.size() && row_[free_]) ++free_;
    const std::size_t end = std::min(free_ + columns_of_cell_, most_table_columns);
    for (std::size_t column = free_; column < end; ++column) {
      if (column == row_.size()) row_.emplace_back();
      if (row_[column]) break;
      row_[column] = cell;
      if (spans_.size() <= column) spans_.resize(column + 1);
      spans_[column] = {cell, rows_of_cell_ - 1};
    }
  }

  void end_row(std::size_t at) {
    end_cell(at);
    if (is_row_open_ && !rows_.is_passed_over()) rows_.take(row_, row_at_);
    is_row_open_ = false;
  }

  std::string_view text_;
  PerformanceRows& rows_;
  std::vector<Span> spans_;  // column by column
  CellRow row_;
  std::size_t free_ = 0;  // no column of the row before it is free
  std::size_t row_at_ = 0, cell_at_ = 0, content_at_ = 0, rows_of_cell_ = 1, columns_of_cell_ = 1;
  bool is_row_open_ = false, is_cell_open_ = false;
};

}  // namespace

std::size_t take_html_table(std::string_view text, std::size_t at, PerformanceRows& rows) {
  return HtmlTable(text, rows).read(at);
}

}  // namespace gate::schema
