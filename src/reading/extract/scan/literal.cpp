#include "extract/scan/literal.h"

#include <array>
#include <string>

#include "extract/scan/head_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t deepest = 16;
bool is_quote(char c) { return c == '\'' || c == '"'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

// The bytes that are more than a part of a word.
constexpr std::array<bool, 256> marks = [] {
  std::array<bool, 256> marked{};
  for (const char c : std::string_view("'\"()[]{},")) marked[static_cast<unsigned char>(c)] = true;
  return marked;
}();

// Return the place of the next mark from `at` on, or the end.
std::size_t next_mark(std::string_view text, std::size_t at) {
  while (at < text.size() && !marks[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

// Return where the text behind the quoted word at `at` begins, or npos.
std::size_t behind_quoted(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[at])
      return i + 1;
  }
  return npos;
}

// Return where the word at `at` ends: at a comma or brace that is not within it, or npos.
std::size_t word_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while ((at = next_mark(text, at)) < text.size()) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || closes(c))) return at;
    if (is_quote(c)) {
      at = behind_quoted(text, at);
      if (at == npos) return npos;
      continue;
    }
    if ((c == '(' || c == '[' || c == '{') && ++depth > deepest) return npos;
    if (closes(c)) --depth;
    ++at;
  }
  return npos;
}

class Reader {
 public:
  Reader(std::string_view text, const std::function<void(std::string_view, std::string_view)>& on_value)
      : text_(text), on_value_(on_value) {}

  std::size_t read() {
    while (!failed_) {
      skip_blanks();
      if (!take_mark('}')) {
        read_item();
      } else if (depth_ == 1) {
        return at_;
      } else {
        outer_.resize(lengths_.at(--depth_));
        end_item();
      }
    }
    return npos;
  }

  bool open() {
    skip_blanks();
    if (!take_mark('{') || depth_ == deepest) return false;
    lengths_.at(depth_++) = outer_.size();
    outer_ = name_of_item();
    return true;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take_mark(char mark) {
    if (at_ == text_.size() || text_[at_] != mark) return false;
    ++at_;
    return true;
  }

  // Behind a value stands a comma, or the brace that ends its dictionary.
  void end_item() {
    skip_blanks();
    failed_ = !take_mark(',') && (at_ == text_.size() || text_[at_] != '}');
  }

  void read_item() {
    failed_ = !read_name();
    if (failed_) return;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '{')
      failed_ = !open();
    else
      read_word();
  }

  bool read_name() {
    if (at_ == text_.size() || !is_quote(text_[at_])) return false;
    const std::size_t end = behind_quoted(text_, at_);
    if (end == npos) return false;
    key_ = text_.substr(at_ + 1, end - at_ - 2);
    at_ = end;
    skip_blanks();
    return take_mark(':');
  }

  // Return the names around the item and its own, joined by points.
  std::string_view name_of_item() {
    if (outer_.empty()) return key_;
    return (name_ = outer_).append(1, '.').append(key_);
  }

  void read_word() {
    const std::size_t end = word_end(text_, at_);
    failed_ = end == npos;
    if (failed_) return;
    on_value_(name_of_item(), trim(text_.substr(at_, end - at_)));
    at_ = end;
    end_item();
  }

  std::string_view text_;
  const std::function<void(std::string_view, std::string_view)>& on_value_;
  std::size_t at_ = 0;
  std::string outer_;                           // the names around the item
  std::string_view key_;                        // its own
  std::string name_;                            // both
  std::array<std::size_t, deepest> lengths_{};  // of the names around each open dictionary
  std::size_t depth_ = 0;                       // how many are open
  bool failed_ = false;
};

}  // namespace

std::size_t read_literal(std::string_view text,
                         const std::function<void(std::string_view, std::string_view)>& on_value) {
  Reader reader(text, on_value);
  return reader.open() ? reader.read() : npos;
}

}  // namespace gate::extract
