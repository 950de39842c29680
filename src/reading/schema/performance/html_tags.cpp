#include "schema/performance/html_tags.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::schema {

namespace {

constexpr std::string_view comment_start = "<!--", comment_end = "-->";
constexpr std::string_view html_blanks = " \t\r\n\f";

bool is_letter(char c) { return is_letter_or_digit(c) && !is_digit(c); }

// Return the offset behind the quoted value that begins there, behind the quote alone where its line does not
// close it.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char both[] = {text[at], '\n', '\0'};
  const std::size_t end = text.find_first_of(both, at + 1);
  return end == std::string_view::npos || text[end] == '\n' ? at + 1 : end + 1;
}

// Return the offset of the `>` that ends the tag, or of what stops it: another `<`, or the text's end.
std::size_t tag_end(std::string_view text, std::size_t at) {
  constexpr const char* marks = "<>\"'";
  for (at = text.find_first_of(marks, at); at < text.size(); at = text.find_first_of(marks, at)) {
    if (text[at] == '<' || text[at] == '>') return at;
    at = behind_quotes(text, at);
  }
  return text.size();
}

// Return the offset behind `</script` of such a tag, without regard to case.
std::size_t behind_content(std::string_view text, std::size_t at, const std::string& name) {
  for (at = text.find("</", at); at != std::string_view::npos; at = text.find("</", at + 2))
    if (to_lower(text.substr(at + 2, name.size())) == name)
      return std::min(text.find('>', at), text.size() - 1) + 1;
  return text.size();
}

HtmlToken text_until(std::size_t end) { return {"", false, true, {}, end}; }

HtmlToken passed_over(std::size_t end) { return {"", false, false, {}, end}; }

// Return the character of `#39` or `#x27`; nothing where it is none.
std::optional<std::string> numeric_entity(std::string_view word) {
  constexpr std::uint32_t most = 0x10FFFF, first_surrogate = 0xD800, last_surrogate = 0xDFFF;
  word.remove_prefix(1);
  const bool is_hex = word.starts_with('x') || word.starts_with('X');
  if (is_hex) word.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), code, is_hex ? 16 : 10);
  const bool is_surrogate = code >= first_surrogate && code <= last_surrogate;
  if (error != std::errc{} || end != word.data() + word.size() || code > most || code == 0 || is_surrogate)
    return std::nullopt;
  std::string character;
  append_code_point(character, code);
  return character;
}

struct EntityRow {
  std::string_view name, text;
};

constexpr std::array<EntityRow, 12> entity_table{{{"amp", "&"},
                                                  {"lt", "<"},
                                                  {"gt", ">"},
                                                  {"quot", "\""},
                                                  {"apos", "'"},
                                                  {"nbsp", "\xC2\xA0"},
                                                  {"times", "×"},
                                                  {"ndash", "–"},
                                                  {"mdash", "—"},
                                                  {"ensp", " "},
                                                  {"emsp", " "},
                                                  {"thinsp", " "}}};

// Return the characters of the entity between `&` and `;`; nothing where it is none.
std::optional<std::string> entity_text(std::string_view word) {
  if (word.starts_with('#')) return numeric_entity(word);
  const auto* row = std::ranges::find(entity_table, word, &EntityRow::name);
  return row == entity_table.end() ? std::nullopt : std::optional(std::string(row->text));
}

// Makes a cell of the bytes between its tags.
class CellReader {
 public:
  CellReader(std::string_view bytes, std::size_t at) : bytes_(bytes) { cell_.at = at; }

  TableCell read() {
    for (std::size_t at = 0; at < bytes_.size() && !text_.is_cut();) {
      const std::size_t open = std::min(bytes_.find('<', at), bytes_.size());
      add(bytes_.substr(at, open - at));
      at = open == bytes_.size() ? open : take(html_token(bytes_, open), open);
    }
    cell_.text = text_.text();
    cell_.is_cut |= text_.is_cut();
    return std::move(cell_);
  }

 private:
  void add(std::string_view bytes) {
    if (!is_note_) text_.add(without_entities(bytes));
  }

  std::size_t take(const HtmlToken& token, std::size_t at) {
    if (token.is_text) add(bytes_.substr(at, token.end - at));
    if (token.name == "br" || token.name == "p" || token.name == "li") text_.add(" ");
    if (token.name == "sup") is_note_ = !token.closes;
    if (token.name == "a" && !token.closes && cell_.link.empty()) take_link(attribute_of(token, "href"));
    return token.end;
  }

  void take_link(std::string_view value) {
    CellText link;
    link.add(without_entities(value));
    cell_.link = link.text();
    cell_.is_cut |= link.is_cut();
  }

  std::string_view bytes_;
  TableCell cell_;
  CellText text_;
  bool is_note_ = false;
};

}  // namespace

HtmlToken html_token(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with(comment_start)) {
    const std::size_t end = text.find(comment_end, at + comment_start.size());
    return passed_over(end == std::string_view::npos ? text.size() : end + comment_end.size());
  }
  const bool closes = text.substr(at + 1).starts_with('/');
  const std::size_t name_at = at + (closes ? 2 : 1);
  const char first = name_at < text.size() ? text[name_at] : ' ';
  const bool is_declaration = !closes && (first == '!' || first == '?');
  if (!is_letter(first) && !is_declaration) return text_until(name_at);
  const std::size_t end = tag_end(text, name_at);
  if (end == text.size() || text[end] == '<') return text_until(end);
  if (is_declaration) return passed_over(end + 1);
  const std::string_view inside = text.substr(name_at, end - name_at);
  const std::size_t name_size =
      static_cast<std::size_t>(std::ranges::find_if_not(inside, is_letter_or_digit) - inside.begin());
  HtmlToken tag{to_lower(inside.substr(0, name_size)), closes, false, inside.substr(name_size), end + 1};
  if (!closes && (tag.name == "script" || tag.name == "style"))
    return passed_over(behind_content(text, tag.end, tag.name));
  return tag;
}

std::string_view attribute_of(const HtmlToken& tag, std::string_view name) {
  std::string_view rest = tag.attributes;
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n\f/=\"'"), rest.size()));
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n\f/="), rest.size());
    const bool is_wanted = to_lower(rest.substr(0, end)) == name;
    rest.remove_prefix(std::min(rest.find_first_not_of(html_blanks, end), rest.size()));
    if (!rest.starts_with('=')) {
      if (is_wanted) return "";
      continue;
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(html_blanks, 1), rest.size()));
    const bool is_quoted = rest.starts_with('"') || rest.starts_with('\'');
    const std::size_t close =
        is_quoted ? std::min(rest.find(rest[0], 1), rest.size()) : rest.find_first_of(html_blanks);
    const std::size_t from = is_quoted ? 1 : 0;
    const std::string_view value = rest.substr(from, std::min(close, rest.size()) - from);
    if (is_wanted) return trim(value);
    rest.remove_prefix(std::min(close, rest.size()));
  }
  return "";
}

std::string without_entities(std::string_view text) {
  constexpr std::size_t longest = 12;
  std::string out;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('&'), text.size());
    out += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, longest).find(';');
    const auto entity = end == std::string_view::npos ? std::nullopt : entity_text(text.substr(1, end - 1));
    out += entity.value_or("&");
    text.remove_prefix(entity ? end + 1 : 1);
  }
  return out;
}

TableCell html_cell(std::string_view bytes, std::size_t at) { return CellReader(bytes, at).read(); }

}  // namespace gate::schema
