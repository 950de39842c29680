#include "extract/literal.h"

#include <string>
#include <vector>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t deepest = 16;
constexpr std::size_t npos = std::string_view::npos;

bool is_quote(char c) { return c == '\'' || c == '"'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

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
  while (at < text.size()) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || closes(c))) return at;
    if (is_quote(c)) {
      at = behind_quoted(text, at);
      if (at == npos) return npos;
      continue;
    }
    if (opens(c) && ++depth > deepest) return npos;
    if (closes(c)) --depth;
    ++at;
  }
  return npos;
}

class Reader {
 public:
  Reader(std::string_view text, const std::function<void(std::string_view, std::string_view)>& take)
      : text_(text), take_(take) {}

  std::size_t read() {
    while (!failed_) {
      skip_blanks();
      if (!take_mark('}')) {
        read_item();
        continue;
      }
      if (lengths_.size() == 1) return at_;
      close();
    }
    return npos;
  }

  bool open() {
    skip_blanks();
    if (!take_mark('{') || lengths_.size() == deepest) return false;
    lengths_.push_back(name_.size());
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

  void close() {
    name_.resize(lengths_.back());
    lengths_.pop_back();
    end_item();
  }

  // Behind a value stands a comma, or the brace that ends its dictionary.
  void end_item() {
    skip_blanks();
    name_.resize(lengths_.back());
    failed_ = !take_mark(',') && (at_ == text_.size() || text_[at_] != '}');
  }

  void read_item() {
    failed_ = !read_name();
    if (failed_) return;
    skip_blanks();
    const bool dictionary = at_ < text_.size() && text_[at_] == '{';
    if (dictionary)
      failed_ = !open();
    else
      read_word();
  }

  bool read_name() {
    if (at_ == text_.size() || !is_quote(text_[at_])) return false;
    const std::size_t end = behind_quoted(text_, at_);
    if (end == npos) return false;
    if (!name_.empty()) name_ += '.';
    name_ += text_.substr(at_ + 1, end - at_ - 2);
    at_ = end;
    skip_blanks();
    return take_mark(':');
  }

  void read_word() {
    const std::size_t end = word_end(text_, at_);
    failed_ = end == npos;
    if (failed_) return;
    take_(name_, trim(text_.substr(at_, end - at_)));
    at_ = end;
    end_item();
  }

  std::string_view text_;
  const std::function<void(std::string_view, std::string_view)>& take_;
  std::size_t at_ = 0;
  std::string name_;
  std::vector<std::size_t> lengths_;  // of the names around each open dictionary
  bool failed_ = false;
};

}  // namespace

std::size_t read_literal(std::string_view text,
                         const std::function<void(std::string_view, std::string_view)>& take) {
  Reader reader(text, take);
  return reader.open() ? reader.read() : npos;
}

}  // namespace gate::extract
