#include "schema/output/csv_table.h"

#include <algorithm>

#include "gate/base/text.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

constexpr std::size_t most_cells = 1'000'000;  // of a line
constexpr std::string_view csv_byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

CsvReader::CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
  if (text_.starts_with(csv_byte_order_mark)) at_ = csv_byte_order_mark.size();
  while (text_.size() > at_ && (text_.back() == '\n' || text_.back() == '\r')) text_.remove_suffix(1);
}

Result<bool> CsvReader::next(std::vector<CsvCell>& row) {
  if (at_ >= text_.size()) return false;
  const std::size_t from = at_;
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (count == most_cells)
      return refuse(from, "more than " + std::to_string(most_cells) + " cells in a line");
    if (count == row.size()) row.emplace_back();
    CsvCell& cell = row[count];
    cell.at = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    const bool is_quoted = cell.at < text_.size() && text_[cell.at] == '"';
    GATE_TRY_STATUS(is_quoted ? quoted_cell(cell) : plain_cell(cell));
    more = at_ < text_.size() && text_[at_] == ',';
    if (more) ++at_;
  }
  row.resize(count);
  at_ = std::min(text_.find('\n', at_), text_.size()) + 1;
  if (width_ == 0) width_ = count;
  if (count != width_)
    return refuse(from, count_of(static_cast<std::int64_t>(count), "cell") + " in a line, and " +
                            std::to_string(width_) + " in the first one");
  return true;
}

bool CsvReader::at_row_end() const {
  return at_ >= text_.size() || text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n";
}

Status CsvReader::quoted_cell(CsvCell& cell) {
  cell.text.clear();
  for (at_ = cell.at + 1;; ++at_) {
    const std::size_t quote = text_.find('"', at_);
    if (quote == std::string_view::npos) return refuse(cell.at, "quotes that are opened and not closed");
    cell.text += text_.substr(at_, quote - at_);
    at_ = quote + 1;
    if (at_ >= text_.size() || text_[at_] != '"') break;
    cell.text += '"';
  }
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  if (at_row_end() || text_[at_] == ',') return {};
  return refuse(at_, "text behind the quotes; a quote within quotes is written twice");
}

Status CsvReader::plain_cell(CsvCell& cell) {
  const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
  const std::string_view whole = text_.substr(at_, end - at_);
  cell.text = trim(whole);
  if (const std::size_t quote = whole.find('"'); quote != std::string_view::npos)
    return refuse(at_ + quote, "a quote within a cell that has none around it");
  at_ = end;
  return {};
}

tl::unexpected<Error> CsvReader::refuse(std::size_t offset, std::string message) const {
  return tl::unexpected(error_at(text_, offset, file_, std::move(message)));
}

}  // namespace gate::schema
