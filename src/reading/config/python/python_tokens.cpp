#include "config/python/python_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::config {

namespace {

constexpr std::size_t most_python_bytes = 1 << 20;
constexpr std::size_t deepest_bracket = 32;

bool begins_name(char c) { return c == '_' || !is_ascii(c) || (is_letter_or_digit(c) && !is_digit(c)); }
bool goes_on_name(char c) { return begins_name(c) || is_digit(c); }

struct PythonEscapeRow {
  char written, means;
};
constexpr std::array python_escapes{PythonEscapeRow{'\\', '\\'}, PythonEscapeRow{'\'', '\''},
                                    PythonEscapeRow{'"', '"'},   PythonEscapeRow{'a', '\a'},
                                    PythonEscapeRow{'b', '\b'},  PythonEscapeRow{'f', '\f'},
                                    PythonEscapeRow{'n', '\n'},  PythonEscapeRow{'r', '\r'},
                                    PythonEscapeRow{'t', '\t'},  PythonEscapeRow{'v', '\v'}};

// Return what a text between quotes says; nothing where it has an escape by number or name. An escape that
// Python does not know stays as it is.
std::optional<std::string> unescaped(std::string_view written) {
  std::string out;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\' || i + 1 == written.size()) {
      out += written[i];
      continue;
    }
    const char c = written[++i];
    const auto row = std::ranges::find(python_escapes, c, &PythonEscapeRow::written);
    if (row != python_escapes.end())
      out += row->means;
    else if (is_digit(c) || c == 'x' || c == 'u' || c == 'U' || c == 'N')
      return std::nullopt;
    else if (c == '\r' && written.substr(i + 1).starts_with('\n'))
      ++i;
    else if (c != '\n' && c != '\r')
      out += {'\\', c};
  }
  return out;
}

class PythonLexer {
 public:
  PythonLexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Parsed<std::vector<PythonToken>> run() {
    if (text_.size() > most_python_bytes) refuse("the file is larger than 1 MiB");
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos && !mistake_) {
      advance(nul);
      refuse("a NUL byte stands here");
    }
    while (i_ < text_.size() && !mistake_) step();
    if (!mistake_ && !open_.empty()) refuse_at(open_.back(), "this bracket is not closed");
    if (mistake_) return tl::unexpected<Diagnostics>(Diagnostics{*mistake_});
    end_statement();
    return std::move(tokens_);
  }

 private:
  using Kind = PythonToken::Kind;

  struct Open {
    char bracket;
    int line, column;
  };

  std::string_view rest() const { return text_.substr(i_); }
  char at(std::size_t ahead) const { return i_ + ahead < text_.size() ? text_[i_ + ahead] : '\0'; }
  bool ends_line() const { return at(0) == '\n' || (at(0) == '\r' && at(1) != '\n'); }

  void step();
  void blank();
  void word();
  void number();
  void quoted(std::string_view prefix);
  void sign();
  void bracket(char c);
  void end_statement();
  void advance(std::size_t count);
  PythonToken& put(Kind kind, std::size_t length);
  void refuse(std::string message) { refuse_at({'\0', line_, column_}, std::move(message)); }
  void refuse_at(const Open& place, std::string message) {
    mistake_ = Diagnostic{{file_, place.line, place.column}, std::move(message)};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t i_ = 0;
  int line_ = 1, column_ = 1;
  bool indented_ = false, fresh_ = true;  // blanks, nothing at all stood before in this line
  std::vector<Open> open_;
  std::vector<PythonToken> tokens_;
  std::optional<Diagnostic> mistake_;
};

void PythonLexer::step() {
  const char c = at(0);
  if (c == '#')
    while (i_ < text_.size() && !ends_line()) advance(1);
  else if (ends_line() || c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' || c == '\\')
    blank();
  else if (begins_name(c))
    word();
  else if (is_digit(c) || (c == '.' && is_digit(at(1))))
    number();
  else if (c == '"' || c == '\'')
    quoted("");
  else
    sign();
}

void PythonLexer::blank() {
  if (at(0) == '\\') {  // joins two lines
    advance(1);
    if (at(0) == '\r' && at(1) == '\n') advance(1);
    if (ends_line()) return advance(1);
    put(Kind::sign, 0).text = "\\";
    return;
  }
  if (ends_line()) {
    if (open_.empty()) end_statement();
    advance(1);
    if (open_.empty()) fresh_ = true, indented_ = false;
    return;
  }
  if (fresh_) indented_ = true;
  advance(1);
}

void PythonLexer::word() {
  const std::string_view text = rest();
  const auto end = std::ranges::find_if_not(text, goes_on_name);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  const char next = at(name.size());
  if (name.size() <= 2 && (next == '"' || next == '\'') &&
      to_lower(name).find_first_not_of("rbuf") == std::string::npos)
    return quoted(name);
  put(Kind::name, name.size());
}

void PythonLexer::number() {
  std::size_t length = 1;
  const bool is_hex = at(0) == '0' && (at(1) == 'x' || at(1) == 'X');
  while (goes_on_name(at(length)) || at(length) == '.' ||
         (!is_hex && (at(length) == '+' || at(length) == '-') &&
          (at(length - 1) == 'e' || at(length - 1) == 'E')))
    ++length;
  std::erase(put(Kind::number, length).text, '_');
}

void PythonLexer::quoted(std::string_view prefix) {
  const std::string kinds = to_lower(prefix);
  const bool is_raw = kinds.find('r') != std::string::npos, is_bytes = kinds.find('b') != std::string::npos;
  const std::string_view text = rest().substr(prefix.size());
  const std::size_t quote = text.starts_with("\"\"\"") || text.starts_with("'''") ? 3 : 1;
  const std::string_view closing = text.substr(0, quote);
  std::size_t end = quote;
  while (end < text.size() && !text.substr(end).starts_with(closing)) {
    if (text[end] == '\\') {  // also before a line's end of two bytes
      end += text.substr(end).starts_with("\\\r\n") ? 3 : 2;
      continue;
    }
    if (quote == 1 && (text[end] == '\n' || text[end] == '\r')) break;
    ++end;
  }
  if (end >= text.size() || !text.substr(end).starts_with(closing)) return refuse("this text is not closed");
  const std::string_view inside = text.substr(quote, end - quote);
  std::optional<std::string> said = is_raw ? std::string(inside) : unescaped(inside);
  const bool is_untold = !said || kinds.find('f') != std::string::npos;
  put(is_untold  ? Kind::untold_text
      : is_bytes ? Kind::bytes
                 : Kind::text,
      prefix.size() + end + quote)
      .text = std::move(said).value_or("");
}

void PythonLexer::sign() {
  const char c = at(0);
  if (c == ';' && open_.empty()) {
    end_statement();
    return advance(1);
  }
  bracket(c);
  if (!mistake_) put(Kind::sign, 1);
}

void PythonLexer::bracket(char c) {
  constexpr std::string_view opening = "([{", closing = ")]}";
  if (opening.find(c) != std::string_view::npos) {
    if (open_.size() == deepest_bracket) return refuse("the brackets are nested too deeply (more than 32)");
    open_.push_back({c, line_, column_});
  }
  const std::size_t closes = closing.find(c);
  if (closes == std::string_view::npos) return;
  if (open_.empty() || open_.back().bracket != opening[closes])
    return refuse(std::string("this `") + c + "` closes no bracket");
  open_.pop_back();
}

void PythonLexer::end_statement() {
  if (!tokens_.empty() && tokens_.back().kind != Kind::end) put(Kind::end, 0);
}

PythonToken& PythonLexer::put(Kind kind, std::size_t length) {
  tokens_.push_back({kind, std::string(text_.substr(i_, length)), line_, column_, indented_});
  fresh_ = false;
  advance(length);
  return tokens_.back();
}

void PythonLexer::advance(std::size_t count) {
  for (const std::size_t end = i_ + count; i_ < end;) {
    const bool was_end = ends_line();
    ++i_;
    const bool inside = is_continuation(at(0));
    if (was_end) ++line_;
    column_ = was_end ? 1 : column_ + (inside ? 0 : 1);
  }
}

}  // namespace

Parsed<std::vector<PythonToken>> python_tokens(std::string_view text, const std::string& file) {
  return PythonLexer(text, file).run();
}

}  // namespace gate::config
