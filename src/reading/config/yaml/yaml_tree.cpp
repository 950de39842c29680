#include "config/yaml/yaml_tree.h"

#include <yaml.h>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "gate/base/text.h"

namespace gate::config {

namespace {

// libyaml and not yaml-cpp, since these are looked at as it reads: decision 47.
constexpr std::size_t most_yaml_bytes = 1 << 20, deepest_yaml = 32, most_yaml_values = 100'000;

// An event of the library, freed with it.
struct YamlEvent {
  yaml_event_t raw{};
  YamlEvent() = default;
  YamlEvent(const YamlEvent&) = delete;
  YamlEvent& operator=(const YamlEvent&) = delete;
  ~YamlEvent() { yaml_event_delete(&raw); }
};

std::string yaml_text(const yaml_char_t* text) {
  return text == nullptr ? "" : std::string(reinterpret_cast<const char*>(text));
}

std::size_t values_in(const YamlTree& tree) {
  std::size_t count = 1;
  for (const YamlTree& item : tree.items) count += values_in(item);
  for (const YamlEntry& entry : tree.entries) count += values_in(entry.value);
  return count;
}

std::size_t levels_of(const YamlTree& tree) {
  std::size_t deepest = 0;
  for (const YamlTree& item : tree.items) deepest = std::max(deepest, levels_of(item));
  for (const YamlEntry& entry : tree.entries) deepest = std::max(deepest, levels_of(entry.value));
  return deepest + 1;
}

bool is_merge_key(const yaml_event_t& key) {
  return key.type == YAML_SCALAR_EVENT && key.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
         yaml_text(key.data.scalar.value) == "<<";
}

// What an anchor names, with what it counts.
struct YamlAnchor {
  YamlTree tree;
  std::size_t values = 0, levels = 0;
};

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& file, YamlKeys keys) : file_(file), keys_(keys) {
    is_ready_ = yaml_parser_initialize(&parser_) == 1;
    if (!is_ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;
  ~YamlReader() {
    if (is_ready_) yaml_parser_delete(&parser_);
  }

  Parsed<YamlTree> run() {
    YamlTree root;
    root.at = {file_, 1, 1};
    if (!is_ready_) refuse({file_}, "out of memory");
    bool has_document = false;
    while (!mistake_ && !ended_) {
      YamlEvent event;
      if (!next(event)) break;
      if (event.raw.type == YAML_DOCUMENT_START_EVENT && std::exchange(has_document, true))
        refuse(place(event.raw.start_mark), "a second document begins; one is read");
      else if (begins_value(event.raw))
        root = value(event.raw, 1);
    }
    if (mistake_) return tl::unexpected(Diagnostics{*mistake_});
    return root;
  }

 private:
  static bool begins_value(const yaml_event_t& event) {
    return event.type == YAML_SCALAR_EVENT || event.type == YAML_SEQUENCE_START_EVENT ||
           event.type == YAML_MAPPING_START_EVENT || event.type == YAML_ALIAS_EVENT;
  }
  Position place(const yaml_mark_t& mark) const {
    return {file_, static_cast<int>(mark.line) + 1, static_cast<int>(mark.column) + 1};
  }
  void refuse(Position at, std::string message) {
    if (!mistake_) mistake_ = {std::move(at), std::move(message)};
  }

  bool next(YamlEvent& event);
  YamlTree value(const yaml_event_t& event, std::size_t level);
  YamlTree scalar(const yaml_event_t& event);
  YamlTree alias(const yaml_event_t& event, std::size_t level);
  void read_items(YamlTree& tree, std::size_t level);
  void read_entries(YamlTree& tree, std::size_t level);
  void read_entry(const yaml_event_t& key, YamlTree& tree, std::set<std::string>& keys, std::size_t level);
  void merge(const YamlTree& from, YamlTree& tree, std::set<std::string>& keys);

  const std::string& file_;
  YamlKeys keys_;
  yaml_parser_t parser_{};
  bool is_ready_ = false, ended_ = false;
  std::size_t values_ = 0;
  std::map<std::string, YamlAnchor> anchors_;
  std::optional<Diagnostic> mistake_;
};

bool YamlReader::next(YamlEvent& event) {
  if (mistake_) return false;
  if (yaml_parser_parse(&parser_, &event.raw) == 1) {
    ended_ = event.raw.type == YAML_STREAM_END_EVENT;
    return true;
  }
  const std::string problem = parser_.problem == nullptr ? "no YAML" : parser_.problem;
  refuse(place(parser_.problem_mark), "syntax error: " + printable(problem, 200));
  return false;
}

YamlTree YamlReader::value(const yaml_event_t& event, std::size_t level) {
  const Position at = place(event.start_mark);
  if (++values_ > most_yaml_values) refuse(at, "the file holds more than 100000 values");
  if (level > deepest_yaml) refuse(at, "the values are nested too deeply (more than 32 levels)");
  if (mistake_) return {};
  if (event.type == YAML_ALIAS_EVENT) return alias(event, level);
  YamlTree tree;
  std::string anchor;
  if (event.type == YAML_SCALAR_EVENT) {
    tree = scalar(event);
    anchor = yaml_text(event.data.scalar.anchor);
  } else if (event.type == YAML_SEQUENCE_START_EVENT) {
    tree.kind = YamlTree::Kind::list;
    anchor = yaml_text(event.data.sequence_start.anchor);
    read_items(tree, level);
  } else {
    tree.kind = YamlTree::Kind::table;
    anchor = yaml_text(event.data.mapping_start.anchor);
    read_entries(tree, level);
  }
  tree.at = at;
  if (!anchor.empty()) anchors_[anchor] = {tree, values_in(tree), levels_of(tree)};
  return tree;
}

YamlTree YamlReader::scalar(const yaml_event_t& event) {
  YamlTree tree;
  tree.text.assign(reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length);
  tree.is_quoted = event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  if (tree.text.find('\0') != std::string::npos) refuse(place(event.start_mark), "a text holds a NUL byte");
  return tree;
}

YamlTree YamlReader::alias(const yaml_event_t& event, std::size_t level) {
  const Position at = place(event.start_mark);
  const std::string name = yaml_text(event.data.alias.anchor);
  const auto anchor = anchors_.find(name);
  if (anchor == anchors_.end()) {
    refuse(at, "the alias *" + printable(name, 60) + " has no anchor before it");
    return {};
  }
  values_ += anchor->second.values;
  if (values_ > most_yaml_values) refuse(at, "aliases make more than 100000 values of the file");
  if (level + anchor->second.levels > deepest_yaml + 1) refuse(at, "aliases are nested too deeply");
  return mistake_ ? YamlTree{} : anchor->second.tree;
}

void YamlReader::read_items(YamlTree& tree, std::size_t level) {
  for (;;) {
    YamlEvent event;
    if (!next(event) || event.raw.type == YAML_SEQUENCE_END_EVENT) return;
    tree.items.push_back(value(event.raw, level + 1));
  }
}

void YamlReader::read_entries(YamlTree& tree, std::size_t level) {
  std::set<std::string> keys;
  std::vector<YamlTree> merged;
  for (;;) {
    YamlEvent key;
    if (!next(key) || key.raw.type == YAML_MAPPING_END_EVENT) break;
    read_entry(key.raw, tree, keys, level);
    if (!is_merge_key(key.raw) || mistake_) continue;
    merged.push_back(std::move(tree.entries.back().value));
    tree.entries.pop_back();
  }
  for (const YamlTree& from : merged) merge(from, tree, keys);
}

// What the table says itself holds; of several that are merged the first.
void YamlReader::merge(const YamlTree& from, YamlTree& tree, std::set<std::string>& keys) {
  if (from.kind == YamlTree::Kind::text && !mistake_)
    return refuse(from.at, "what << merges is a table, or a list of tables");
  for (const YamlTree& item : from.items) merge(item, tree, keys);
  for (const YamlEntry& entry : from.entries)
    if (keys.insert(entry.key).second) tree.entries.push_back(entry);
}

void YamlReader::read_entry(const yaml_event_t& key, YamlTree& tree, std::set<std::string>& keys,
                            std::size_t level) {
  const Position at = place(key.start_mark);
  if (key.type != YAML_SCALAR_EVENT) return refuse(at, "a key is one text");
  std::string name = scalar(key).text;
  if (!keys.insert(name).second && keys_ == YamlKeys::once)
    return refuse(at, "the key \"" + printable(name, 80) + "\" stands twice in one table");
  YamlEvent event;
  if (!next(event)) return;
  YamlTree of_key = value(event.raw, level + 1);
  tree.entries.push_back({std::move(name), at, std::move(of_key)});
}

}  // namespace

bool YamlTree::is_null() const {
  return is_text() && !is_quoted &&
         (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
}

const YamlTree* YamlTree::find(std::string_view key) const {
  const auto found = std::ranges::find(entries, key, &YamlEntry::key);
  return found == entries.end() ? nullptr : &found->value;
}

Parsed<YamlTree> parse_yaml(std::string_view text, const std::string& file, YamlKeys keys) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.size() > most_yaml_bytes)
    return tl::unexpected(Diagnostics{{{file}, "the file is larger than 1 MiB"}});
  return YamlReader(text, file, keys).run();
}

}  // namespace gate::config
