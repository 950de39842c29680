#include <algorithm>
#include <array>
#include <span>

#include "gate/base/text.h"
#include "schema/performance/html_tags.h"
#include "schema/performance/table_readers.h"

namespace gate::schema {

namespace {

// Tell whether the text begins with the word, which is in small letters, in any case.
bool starts_with_word(std::string_view text, std::string_view word) {
  return to_lower(text.substr(0, word.size())) == word;
}

// Return the text up to what ends a mention of hardware: a bracket that was not opened in it, or a mark.
std::string_view up_to_end(std::string_view text) {
  constexpr std::array<std::string_view, 6> ends{"）", "】", "，", "。", "；", "|"};
  for (const std::string_view end : ends) text = text.substr(0, text.find(end));
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') ++open;
    if ((text[i] == ')' || text[i] == ']') && --open < 0) return text.substr(0, i);
  }
  return text;
}

// Return what stands behind the colon that follows the word; nothing where none does.
std::optional<std::string_view> behind_colon(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" *_`"), text.size()));
  for (const std::string_view colon : {":", "："})
    if (text.starts_with(colon)) return text.substr(colon.size());
  return std::nullopt;
}

constexpr std::array<std::string_view, 4> hardware_words{"硬件信息", "硬件", "hardware information",
                                                         "hardware"};
constexpr std::array<std::string_view, 2> framework_words{"训练框架版本", "training framework"};

// Return what a line says behind one of the words: `Atlas 900 A2 PODc` of `（硬件信息：Atlas 900 A2 PODc）`;
// "" where it says nothing.
std::string told_in(std::string_view line, std::span<const std::string_view> words) {
  const std::string lower = to_lower(line);
  for (const std::string_view word : words)
    for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + word.size()))
      if (const auto rest = behind_colon(line.substr(at + word.size()))) {
        const TableCell cell = markdown_cell(rest->substr(0, 2 * most_cell_bytes), 0);
        return cell_text(up_to_end(cell.text));
      }
  return "";
}

// Walks through a file line by line, and finds its tables.
class MarkupTables {
 public:
  MarkupTables(std::string_view text, Markup markup, PerformanceRows& rows)
      : text_(text), is_markdown_(markup == Markup::markdown), rows_(rows) {}

  void read() {
    while (at_ < text_.size() && !rows_.is_full()) take_line();
  }

 private:
  void take_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    const bool is_fence = is_markdown_ && (trim(line).starts_with("```") || trim(line).starts_with("~~~"));
    if (is_fence) is_fenced_ = !is_fenced_;
    if (is_fence || is_fenced_) {
      at_ = end + 1;
    } else if (is_markdown_ && begins_markdown_table(text_, at_)) {
      rows_.begin_table(hardware_, framework_);
      at_ = take_markdown_table(text_, at_, rows_);
    } else {
      if (std::string told = told_in(line, hardware_words); !told.empty()) hardware_ = std::move(told);
      if (std::string told = told_in(line, framework_words); !told.empty()) framework_ = std::move(told);
      while (at_ < end) take_piece(end);
      at_ = std::max(at_, end + 1);
    }
  }

  // Take what stands up to the next tag that matters here, or the end of the line.
  void take_piece(std::size_t end) {
    at_ = std::min(text_.substr(0, end).find_first_of(is_markdown_ ? "<`" : "<", at_), end);
    if (at_ == end) return;
    if (text_[at_] == '`') return take_code(end);
    const std::string_view rest = text_.substr(at_);
    const bool is_table = starts_with_word(rest, "<table");
    const bool matters = is_table || rest.starts_with("<!--") || starts_with_word(rest, "<script") ||
                         starts_with_word(rest, "<style");
    if (!matters) return void(++at_);
    const HtmlToken token = html_token(text_, at_);
    if (token.name != "table") return void(at_ = token.end);
    rows_.begin_table(hardware_, framework_);
    at_ = take_html_table(text_, at_, rows_);
  }

  // Pass over what stands between ` and ` of one line.
  void take_code(std::size_t end) {
    const std::size_t close = std::min(text_.substr(0, end).find('`', at_ + 1), end);
    at_ = close == end ? at_ + 1 : close + 1;
  }

  std::string_view text_;
  bool is_markdown_;
  PerformanceRows& rows_;
  std::string hardware_, framework_;
  std::size_t at_ = 0;
  bool is_fenced_ = false;
};

}  // namespace

void take_markup_tables(std::string_view text, Markup markup, PerformanceRows& rows) {
  MarkupTables(text, markup, rows).read();
}

bool has_markup_table(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1))
    if (starts_with_word(text.substr(at), "<table")) return true;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1)
    if (begins_markdown_table(text, at)) return true;
  return false;
}

}  // namespace gate::schema
