#include "config/layers/script_header.h"

#include <algorithm>
#include <map>
#include <utility>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

constexpr std::string_view mark = "#GATE";
constexpr std::string_view blanks = " \t\r\v\f";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

// A place in one line, counted in bytes and in characters.
class LineCursor {
 public:
  LineCursor(std::string_view line, Position at) : line_(line), at_(std::move(at)) {}

  bool at_end() const { return i_ >= line_.size(); }
  char peek() const { return line_[i_]; }
  const Position& at() const { return at_; }
  void skip_blanks() {
    while (!at_end() && is_blank(peek())) next();
  }
  char next() {
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
  void read_word(LineCursor& cursor);
  bool read_value(LineCursor& cursor, RawValue& raw);
  bool read_quoted(LineCursor& cursor, std::string& item);
  bool accept_key(const std::string& key, const Position& at);
  void add(TableEntry entry);

  std::string script_;
  Diagnostics& mistakes_;
  Layer layer_;
  std::map<std::string, Position> seen_;
};

Layer HeaderReader::read(std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end), content = trim(line);
    if (!content.empty() && content[0] != '#') break;
    if (content.starts_with(mark) && (content.size() == mark.size() || is_blank(content[mark.size()])))
      read_line(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(layer_);
}

void HeaderReader::read_line(std::string_view line, int number) {
  LineCursor cursor(line, {script_, number, 1});
  cursor.skip_blanks();
  for (std::size_t i = 0; i < mark.size(); ++i) cursor.next();
  for (cursor.skip_blanks(); !cursor.at_end() && cursor.peek() != '#'; cursor.skip_blanks())
    read_word(cursor);
}

void HeaderReader::read_word(LineCursor& cursor) {
  TableEntry entry;
  const Position at = cursor.at();
  while (!cursor.at_end() && !is_blank(cursor.peek()) && cursor.peek() != '=') entry.key += cursor.next();
  if (cursor.at_end() || is_blank(cursor.peek()) || entry.key.empty()) {
    while (!cursor.at_end() && !is_blank(cursor.peek())) entry.key += cursor.next();
    return report(at, "\"" + printable(entry.key, 80) + "\" is no KEY=VALUE");
  }
  cursor.next();
  entry.raw.at = cursor.at();
  entry.raw.origin = to_string(at) + " #GATE";
  const bool whole = read_value(cursor, entry.raw);
  if (accept_key(entry.key, at) && whole) add(std::move(entry));
}

bool HeaderReader::read_value(LineCursor& cursor, RawValue& raw) {
  if (cursor.at_end() || is_blank(cursor.peek())) return report(raw.at, "the value is missing"), false;
  std::string item;
  while (!cursor.at_end() && !is_blank(cursor.peek())) {
    if (cursor.peek() == '"') {
      if (!read_quoted(cursor, item)) return false;
    } else if (const char c = cursor.next(); c != ',') {
      item += c;
    } else {
      raw.text += item + ",";
      raw.items.push_back(std::exchange(item, {}));
    }
  }
  raw.text += item;
  if (!raw.text.empty()) raw.items.push_back(std::move(item));
  return true;
}

bool HeaderReader::read_quoted(LineCursor& cursor, std::string& item) {
  const Position at = cursor.at();
  cursor.next();
  while (!cursor.at_end() && cursor.peek() != '"') {
    char c = cursor.next();
    const bool escaped = c == '\\' && !cursor.at_end() && (cursor.peek() == '"' || cursor.peek() == '\\');
    item += escaped ? cursor.next() : c;
  }
  if (cursor.at_end()) return report(at, "the quote is not closed"), false;
  cursor.next();
  return true;
}

bool HeaderReader::accept_key(const std::string& key, const Position& at) {
  const SettingRow* row = find_setting(setting_of(key));
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

void HeaderReader::add(TableEntry entry) {
  entry.key = canonical_key(entry.key);
  if (entry.key != "env") return layer_.push_back(std::move(entry));
  std::ranges::move(variables_of(entry, mistakes_), std::back_inserter(layer_));
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
