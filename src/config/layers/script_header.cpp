#include "config/layers/script_header.h"

#include <algorithm>
#include <map>
#include <utility>

#include "config/layers/tables.h"
#include "config/toml/vocabulary.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

constexpr std::string_view mark = "#GATE";
constexpr std::string_view blanks = " \t\r\v\f";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

// A place in one line, counted in bytes and in characters.
class Cursor {
 public:
  Cursor(std::string_view line, Position at) : line_(line), at_(std::move(at)) {}

  bool at_end() const { return i_ >= line_.size(); }
  char peek() const { return line_[i_]; }
  const Position& at() const { return at_; }
  void skip_blanks() {
    while (!at_end() && is_blank(peek())) take();
  }
  char take() {
    const char c = line_[i_++];
    const bool inside = !at_end() && (static_cast<unsigned char>(peek()) & 0xC0) == 0x80;
    at_.column += inside ? 0 : 1;
    return c;
  }

 private:
  std::string_view line_;
  Position at_;
  std::size_t i_ = 0;
};

class HeaderReader {
 public:
  HeaderReader(std::string script, Diagnostics& mistakes) : script_(std::move(script)), mistakes_(mistakes) {}

  Layer read(std::string_view text);

 private:
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void read_line(std::string_view line, int number);
  void read_word(Cursor& cursor);
  bool read_value(Cursor& cursor, RawValue& word);
  bool read_quoted(Cursor& cursor, std::string& item);
  bool accept_key(const std::string& key, const Position& at);
  void add(Entry entry);

  std::string script_;
  Diagnostics& mistakes_;
  Layer layer_;
  std::map<std::string, Position> seen_;
};

Layer HeaderReader::read(std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end), bare = trim(line);
    if (!bare.empty() && bare[0] != '#') break;
    if (bare.starts_with(mark) && (bare.size() == mark.size() || is_blank(bare[mark.size()])))
      read_line(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(layer_);
}

void HeaderReader::read_line(std::string_view line, int number) {
  Cursor cursor(line, {script_, number, 1});
  cursor.skip_blanks();
  for (std::size_t i = 0; i < mark.size(); ++i) cursor.take();
  for (cursor.skip_blanks(); !cursor.at_end() && cursor.peek() != '#'; cursor.skip_blanks())
    read_word(cursor);
}

void HeaderReader::read_word(Cursor& cursor) {
  Entry entry;
  const Position at = cursor.at();
  while (!cursor.at_end() && !is_blank(cursor.peek()) && cursor.peek() != '=') entry.key += cursor.take();
  if (cursor.at_end() || is_blank(cursor.peek()) || entry.key.empty()) {
    while (!cursor.at_end() && !is_blank(cursor.peek())) entry.key += cursor.take();
    return report(at, "\"" + printable(entry.key, 80) + "\" is no KEY=VALUE");
  }
  cursor.take();
  entry.word.at = cursor.at();
  entry.word.origin = to_string(at) + " #GATE";
  const bool whole = read_value(cursor, entry.word);
  if (accept_key(entry.key, at) && whole) add(std::move(entry));
}

bool HeaderReader::read_value(Cursor& cursor, RawValue& word) {
  if (cursor.at_end() || is_blank(cursor.peek())) return report(word.at, "the value is missing"), false;
  std::string item;
  while (!cursor.at_end() && !is_blank(cursor.peek())) {
    if (cursor.peek() == '"') {
      if (!read_quoted(cursor, item)) return false;
    } else if (const char c = cursor.take(); c != ',') {
      item += c;
    } else {
      word.text += item + ",";
      word.items.push_back(std::exchange(item, {}));
    }
  }
  word.text += item;
  if (!word.text.empty()) word.items.push_back(std::move(item));
  return true;
}

bool HeaderReader::read_quoted(Cursor& cursor, std::string& item) {
  const Position at = cursor.at();
  cursor.take();
  while (!cursor.at_end() && cursor.peek() != '"') {
    char c = cursor.take();
    const bool escaped = c == '\\' && !cursor.at_end() && (cursor.peek() == '"' || cursor.peek() == '\\');
    item += escaped ? cursor.take() : c;
  }
  if (cursor.at_end()) return report(at, "the quote is not closed"), false;
  cursor.take();
  return true;
}

bool HeaderReader::accept_key(const std::string& key, const Position& at) {
  const SettingRow* row = find_setting(key.starts_with("env.") ? "env" : key);
  const auto [first, fresh] = seen_.emplace(key, at);
  if (key.starts_with("rules.") || key.starts_with("metrics."))
    report(at, "rules and metrics are policy; write them in gate.toml under [case.\"GLOB\"]");
  else if (row == nullptr)
    report(at, unknown("key", key, keys_of(settings(), "#GATE")));
  else if (!may_stand(*row, "#GATE"))
    report(at, key + " cannot be set in #GATE; set it in " + places_of(*row));
  else if (!fresh)
    report(at, key + " is set twice; first at " + to_string(first->second));
  else
    return true;
  return false;
}

void HeaderReader::add(Entry entry) {
  if (entry.key != "env") return layer_.push_back(std::move(entry));
  for (Entry& variable : variables(entry, mistakes_)) layer_.push_back(std::move(variable));
}

}  // namespace

Layer read_header(std::string_view script_text, const std::string& script, Diagnostics& mistakes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (script_text.starts_with(byte_order_mark)) script_text.remove_prefix(byte_order_mark.size());
  Layer layer = HeaderReader(script, mistakes).read(script_text);
  validate(layer, mistakes);
  return layer;
}

}  // namespace gate::config
