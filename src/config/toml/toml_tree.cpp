// The library asserts, of what a user wrote, what it then checks and reports: `[=`, `x = [}`, `1979-05-27T:`.
#define TOML_ASSERT(condition) static_assert(true)

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <sstream>
#include <tuple>

#include "config/toml/toml_guard.h"
#include "config/toml/tree.h"
#include "gate/base/text.h"

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

void read_items(const toml::array& array, RawValue& word) {
  word.kind = RawValue::Kind::list;
  for (const toml::node& node : array) {
    std::optional<std::string> item = scalar(node);
    if (!item) word.kind = RawValue::Kind::other;
    word.items.push_back(std::move(item).value_or(""));
  }
  word.text = join(word.items, ",");
}

void read_one(const toml::node& node, RawValue& word) {
  word.kind = node.is_string()   ? RawValue::Kind::text
              : node.is_number() ? RawValue::Kind::number
                                 : RawValue::Kind::date;
  if (std::optional<std::string> text = scalar(node)) word.text = std::move(*text);
  if (const auto* flag = node.as_boolean()) {
    word.kind = RawValue::Kind::boolean;
    word.text = flag->get() ? "true" : "false";
  }
  if (const auto* date = node.as_date()) word.text = printed(*date);
  if (const auto* time = node.as_time()) word.text = printed(*time);
  if (const auto* moment = node.as_date_time()) word.text = printed(*moment);
}

Tree tree_of(const toml::node& node, const std::string& file) {
  Tree tree;
  tree.word.at = position_of(file, node.source().begin);
  tree.word.origin = to_string(tree.word.at);
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    const toml::array* array = node.as_array();
    array != nullptr ? read_items(*array, tree.word) : read_one(node, tree.word);
    return tree;
  }
  tree.word.kind = RawValue::Kind::table;
  for (const auto& [key, value] : *table)
    tree.branches.push_back(
        {std::string(key.str()), position_of(file, key.source().begin), tree_of(value, file)});
  std::stable_sort(tree.branches.begin(), tree.branches.end(), [](const Branch& a, const Branch& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  return tree;
}

// The library says `Error while parsing value: ...`, or a bare reason.
std::string syntax_error(std::string_view description) {
  constexpr std::string_view lead = "Error while ";
  if (!description.starts_with(lead)) return "syntax error: " + printable(description);
  return "syntax error while " + printable(description.substr(lead.size()));
}

tl::unexpected<Diagnostics> refuse(Position at, std::string message) {
  return tl::unexpected<Diagnostics>(Diagnostics{{std::move(at), std::move(message)}});
}

}  // namespace

Parsed<Tree> parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > most_bytes) return refuse({file}, "the file is larger than 1 MiB");
  if (std::optional<Diagnostic> danger = find_danger(text, file))
    return tl::unexpected<Diagnostics>(Diagnostics{*danger});
  try {
    return tree_of(toml::parse(text, std::string_view(file)), file);
  } catch (const toml::parse_error& error) {
    return refuse(position_of(file, error.source().begin), syntax_error(error.description()));
  }
}

}  // namespace gate::config
