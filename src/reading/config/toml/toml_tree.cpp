// The library asserts, of what a user wrote, what it then checks and reports: `[=`, `x = [}`, `1979-05-27T:`.
#define TOML_ASSERT(condition) static_assert(true)

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <utility>

#include "config/toml/toml_tree.h"
#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::config {

namespace {

constexpr std::size_t most_bytes = 1 << 20;

Position position_of(const std::string& file, const toml::source_position& at) {
  return {file, static_cast<int>(at.line), static_cast<int>(at.column)};
}

template <typename Node>
std::string printed(const Node& node) {
  std::ostringstream out;
  out << node.get();
  return out.str();
}

// Texts and numbers, as items of a list.
std::optional<std::string> scalar(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  return std::nullopt;
}

void read_items(const toml::array& array, RawValue& raw) {
  raw.kind = RawValue::Kind::list;
  for (const toml::node& node : array) {
    std::optional<std::string> item = scalar(node);
    if (!item) raw.kind = RawValue::Kind::other;
    raw.items.push_back(std::move(item).value_or(""));
  }
  raw.text = join(raw.items, ",");
}

void read_one(const toml::node& node, RawValue& raw) {
  raw.kind = node.is_string()   ? RawValue::Kind::text
             : node.is_number() ? RawValue::Kind::number
                                : RawValue::Kind::date;
  if (std::optional<std::string> text = scalar(node)) raw.text = std::move(*text);
  if (const auto* flag = node.as_boolean()) {
    raw.kind = RawValue::Kind::boolean;
    raw.text = flag->get() ? "true" : "false";
  }
  if (const auto* date = node.as_date()) raw.text = printed(*date);
  if (const auto* time = node.as_time()) raw.text = printed(*time);
  if (const auto* moment = node.as_date_time()) raw.text = printed(*moment);
}

TomlTree tree_of(const toml::node& node, const std::string& file) {
  TomlTree tree;
  tree.raw.at = position_of(file, node.source().begin);
  tree.raw.origin = to_string(tree.raw.at);
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return read_one(node, tree.raw), tree;
    read_items(*array, tree.raw);
    for (const toml::node& item : *array) tree.items.push_back(tree_of(item, file));
    return tree;
  }
  tree.raw.kind = RawValue::Kind::table;
  for (const auto& [key, value] : *table)
    tree.branches.push_back(
        {std::string(key.str()), position_of(file, key.source().begin), tree_of(value, file)});
  std::ranges::stable_sort(tree.branches, {},
                           [](const Branch& branch) { return std::pair(branch.at.line, branch.at.column); });
  return tree;
}

constexpr int most_dots = 16;
constexpr int most_brackets = 32;
constexpr std::array<std::string_view, 4> quotes{"\"\"\"", "'''", "\"", "'"};

// Return the length of the quoted text at the front: `"""a"""""` ends in two quotes of its own. One that is
// not closed ends with its line, or with the file.
std::size_t quoted_length(std::string_view text, std::string_view quote) {
  const std::size_t most_closing = quote.size() == 3 ? 5 : 1;
  for (std::size_t i = quote.size(); i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with(quote))
      return i + std::min({rest.find_first_not_of(quote[0]), rest.size(), most_closing});
    if (quote.size() == 1 && text[i] == '\n') return i;
    if (quote[0] == '"' && text[i] == '\\') ++i;
  }
  return text.size();
}

class TomlGuard {
 public:
  TomlGuard(std::string_view text, const std::string& file) : text_(text), at_{file, 1, 1} {}

  std::optional<Diagnostic> run() {
    while (i_ < text_.size() && !danger_) step();
    return danger_;
  }

 private:
  void step();
  void count(char c);
  void skip(std::size_t length);
  void advance();
  void report(std::string message) { danger_ = {at_, std::move(message)}; }

  std::string_view text_;
  Position at_;
  std::size_t i_ = 0;
  int dots_ = 0;      // of the key being read
  int brackets_ = 0;  // open ones
  std::optional<Diagnostic> danger_;
};

void TomlGuard::step() {
  const std::string_view rest = text_.substr(i_);
  if (rest[0] == '#') return skip(std::min(rest.find('\n'), rest.size()));
  for (const std::string_view quote : quotes)
    if (rest.starts_with(quote)) return skip(quoted_length(rest, quote));
  if (!is_ascii(rest[0])) return report("a character that is not ASCII stands in quotes or in a comment");
  count(rest[0]);
  if (dots_ > most_dots || brackets_ > most_brackets) return report("the keys are nested too deeply");
  advance();
}

void TomlGuard::count(char c) {
  if (c == '.') ++dots_;
  if (c == '=' || c == ',' || c == '\n' || c == '{' || c == '[') dots_ = 0;
  if (c == '{' || c == '[') ++brackets_;
  if ((c == '}' || c == ']') && brackets_ > 0) --brackets_;
}

void TomlGuard::skip(std::size_t length) {
  for (const std::size_t end = i_ + length; i_ < end;) advance();
}

void TomlGuard::advance() {
  const bool ends_line = text_[i_++] == '\n';
  const bool inside = i_ < text_.size() && is_continuation(text_[i_]);
  if (ends_line) ++at_.line;
  at_.column = ends_line ? 1 : at_.column + (inside ? 0 : 1);
}

// Return the first place where a key has more than 16 dots, brackets are nested more than 32 deep, or a
// character that is not ASCII stands outside of quotes and comments, which TOML forbids anyway. Nothing if
// all is well. Two kinds of text are kept from the TOML library (toml++ 3.3), which does not survive them or
// survives by luck:
//
//   - `a.a.a.a...`, `[[[[...`: a table or array each, and stack for each of them when they are freed;
//   - `x = é`: its search for blanks has a place that is "never reached", and such letters reach it.
std::optional<Diagnostic> find_danger(std::string_view toml, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (toml.starts_with(byte_order_mark)) toml.remove_prefix(byte_order_mark.size());
  return TomlGuard(toml, file).run();
}

tl::unexpected<Diagnostics> refuse(Position at, std::string message) {
  return tl::unexpected<Diagnostics>(Diagnostics{{std::move(at), std::move(message)}});
}

// --- what is defined twice ---

constexpr const char* last_key_read = "gate-reads-up-to-here";  // a key that nobody writes

// The words of a statement, `[a.b]` or `a.b = 1`, without its value; none where it is neither.
std::vector<std::string> keys_of_statement(std::string_view line) {
  std::string alone(line);
  std::size_t end = 0;
  while (end < line.size() && line[end] != '=' && line[end] != '#') {
    const bool is_quoted = line[end] == '"' || line[end] == '\'';
    end += is_quoted ? quoted_length(line.substr(end), line.substr(end, 1)) : 1;
  }
  if (!line.starts_with('[')) alone = std::string(line.substr(0, std::min(end, line.size()))) + "= 0";
  std::vector<std::string> keys;
  const toml::table parsed = toml::parse(alone);
  for (const toml::node* at = &parsed; at != nullptr;) {
    if (const auto* array = at->as_array()) at = array->get(0);
    const toml::table* table = at == nullptr ? nullptr : at->as_table();
    if (table == nullptr || table->empty()) break;
    keys.emplace_back(table->begin()->first.str());
    at = &table->begin()->second;
  }
  return keys;
}

// Return the table that the sentinel stands in: the one whose head was read last.
const toml::table* table_read_last(const toml::table& table) {
  if (table.contains(last_key_read)) return &table;
  for (const auto& [key, node] : table) {
    const toml::array* array = node.as_array();
    const toml::node* inner = array != nullptr && !array->empty() ? array->get(array->size() - 1) : &node;
    if (inner->is_table())
      if (const toml::table* found = table_read_last(*inner->as_table())) return found;
  }
  return nullptr;
}

// Return where what the statement of that line defines once more was defined first. Up to there the file is
// read alone: it has no mistake. Nothing where the line holds no such statement.
std::optional<Position> first_definition(std::string_view text, const std::string& file, int line) {
  const std::vector<std::string_view> lines = split(text, '\n');
  const auto index = static_cast<std::size_t>(line) - 1;
  if (index >= lines.size()) return std::nullopt;
  const auto before = static_cast<std::size_t>(lines[index].data() - text.data());
  try {
    const std::vector<std::string> keys = keys_of_statement(trim(lines[index]));
    const toml::table known = toml::parse(std::string(text.substr(0, before)) + last_key_read + " = 0\n");
    const bool is_head = trim(lines[index]).starts_with('[');
    const toml::table* table = is_head ? &known : table_read_last(known);
    std::optional<Position> first;
    for (const std::string& key : keys) {
      const auto found = table == nullptr ? toml::table::const_iterator() : table->find(key);
      if (table == nullptr || found == table->end()) break;
      const toml::node& node = found->second;
      first = position_of(file, node.is_table() ? node.source().begin : found->first.source().begin);
      const toml::array* array = node.as_array();
      table = (array != nullptr && !array->empty() ? *array->get(array->size() - 1) : node).as_table();
    }
    return first;
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

std::string shown_member(const RawMember& member) {
  const RawValue& value = member.value;
  const bool is_bare = value.kind == RawValue::Kind::table || value.kind == RawValue::Kind::number ||
                       value.kind == RawValue::Kind::boolean;
  if (value.kind == RawValue::Kind::list)
    return member.key + " = [" + (value.items.empty() ? "" : "\"" + join(value.items, "\", \"") + "\"") + "]";
  return member.key + " = " + (is_bare ? value.text : "\"" + value.text + "\"");
}

}  // namespace

RawValue table_value(const TomlTree& table) {
  RawValue raw = table.raw;
  std::vector<std::string> shown;
  for (const Branch& branch : table.branches) {
    raw.members.push_back({branch.key, branch.tree.is_table() ? table_value(branch.tree) : branch.tree.raw});
    shown.push_back(shown_member(raw.members.back()));
  }
  raw.text = shown.empty() ? "{ }" : "{ " + join(shown, ", ") + " }";
  return raw;
}

Parsed<TomlTree> parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > most_bytes) return refuse({file}, "the file is larger than 1 MiB");
  if (std::optional<Diagnostic> danger = find_danger(text, file))
    return tl::unexpected<Diagnostics>(Diagnostics{*danger});
  try {
    return tree_of(toml::parse(text, std::string_view(file)), file);
  } catch (const toml::parse_error& error) {
    // The library says `Error while parsing value: ...`, or a reason alone.
    constexpr std::string_view lead = "Error while ";
    const std::string_view said = error.description();
    const Position at = position_of(file, error.source().begin);
    const bool is_twice = said.find("cannot redefine existing") != std::string_view::npos;
    if (const auto first = is_twice ? first_definition(text, file, at.line) : std::nullopt)
      return refuse(at, "this is defined twice; the first place is " + to_string(*first) + ": write it once");
    return refuse(at, said.starts_with(lead) ? "syntax error while " + printable(said.substr(lead.size()))
                                             : "syntax error: " + printable(said));
  }
}

}  // namespace gate::config
