#include <algorithm>
#include <array>
#include <memory>

#include "gate/base/text.h"
#include "schema/performance/html_tags.h"
#include "schema/performance/table_readers.h"

namespace gate::schema {

namespace {

std::string_view line_at(std::string_view text, std::size_t at) {
  return at >= text.size() ? "" : text.substr(at, text.find('\n', at) - at);
}

bool is_dashes(std::string_view line) {
  return line.find("--") != std::string_view::npos && line.find('|') != std::string_view::npos &&
         line.find_first_not_of("|-: \t\r") == std::string_view::npos;
}

// Return the parts of a line between bars: a bar behind a backslash is text, those at its ends are no parts.
std::vector<std::string_view> parts_of_line(std::string_view line) {
  line = trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '|') {
      parts.push_back(line.substr(from, i - from));
      from = i + 1;
    }
  }
  if (from < line.size()) parts.push_back(line.substr(from));
  return parts;
}

// Takes the marks of Markdown out of a text that may hold HTML, too.
class MarkdownText {
 public:
  explicit MarkdownText(std::string_view bytes) : bytes_(bytes) {}

  // Return the text as HTML; the first link is in `link`.
  std::string read(std::string& link) {
    while (at_ < bytes_.size()) take(link);
    return std::move(out_);
  }

 private:
  void take(std::string& link) {
    constexpr std::array<std::string_view, 3> marks{"**", "__", "`"};
    const std::string_view rest = bytes_.substr(at_);
    if (rest.size() > 1 && rest[0] == '\\' && !is_letter_or_digit(rest[1])) return add(rest[1], 2);
    for (const std::string_view mark : marks)
      if (rest.starts_with(mark)) return void(at_ += mark.size());
    if (rest.starts_with("![")) return void(++at_);
    if (rest[0] == '[' && take_link(rest, link)) return;
    add(rest[0], 1);
  }

  void add(char c, std::size_t length) {
    out_ += c;
    at_ += length;
  }

  // Take `[text](where)`; false where it is none.
  bool take_link(std::string_view rest, std::string& link) {
    const std::size_t middle = has_links_ ? rest.find("](") : std::string_view::npos;
    const std::size_t end = middle == std::string_view::npos ? middle : rest.find(')', middle);
    has_links_ = end != std::string_view::npos;
    if (!has_links_) return false;
    const auto words = split_words(rest.substr(middle + 2, end - middle - 2));  // `where "title"`
    if (link.empty() && !words.empty()) link = words[0];
    std::string ignored;
    out_ += MarkdownText(rest.substr(1, middle - 1)).read(ignored);
    at_ += end + 1;
    return true;
  }

  std::string_view bytes_;
  std::string out_;
  std::size_t at_ = 0;
  bool has_links_ = true;  // as far as is known
};

CellRow row_of_line(std::string_view text, std::string_view line) {
  CellRow row;
  for (const std::string_view part : parts_of_line(line)) {
    if (row.size() == most_table_columns) break;
    const auto at = static_cast<std::size_t>(part.data() - text.data());
    row.push_back(std::make_shared<const TableCell>(markdown_cell(part, at)));
  }
  return row;
}

}  // namespace

TableCell markdown_cell(std::string_view bytes, std::size_t at) {
  std::string link;
  const std::string html = MarkdownText(bytes).read(link);
  TableCell cell = html_cell(html, at);
  cell.at += std::min(bytes.find_first_not_of(" \t"), bytes.size());
  if (link.empty()) return cell;
  CellText text;
  text.add(link);
  cell.link = text.text();
  cell.is_cut |= text.is_cut();
  return cell;
}

bool begins_markdown_table(std::string_view text, std::size_t at) {
  const std::string_view head = line_at(text, at);
  return head.find('|') != std::string_view::npos && is_dashes(line_at(text, at + head.size() + 1));
}

std::size_t take_markdown_table(std::string_view text, std::size_t at, PerformanceRows& rows) {
  while (at < text.size() && !rows.is_full()) {
    const std::string_view line = line_at(text, at);
    if (line.find('|') == std::string_view::npos) break;
    if (!is_dashes(line) && !rows.is_passed_over()) rows.take(row_of_line(text, line), at);
    at += line.size() + 1;
  }
  return std::min(at, text.size());
}

}  // namespace gate::schema
