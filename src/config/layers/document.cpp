#include "config/layers/document.h"

#include <algorithm>
#include <array>

#include "config/layers/receivers.h"
#include "config/layers/tables.h"
#include "config/tables/json_table.h"
#include "config/toml/tree.h"
#include "config/toml/values.h"
#include "config/toml/vocabulary.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

class DocumentReader {
 public:
  DocumentReader(Document& document, Diagnostics& mistakes) : document_(document), mistakes_(mistakes) {}

  void read(const Tree& root);

 private:
  struct Section {
    std::string_view name;
    void (DocumentReader::*read)(const Tree&);
  };
  static const std::array<Section, 8> sections;

  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void report_stray(const Branch& branch);
  bool is_table(const Branch& branch);

  void read_suite(const Tree& table);
  void read_suite_key(const Branch& branch);
  void read_defaults(const Tree& table);
  void read_rules(const Tree& table) { tables_.read_rules(table, document_.base); }
  void read_metrics(const Tree& table) { tables_.read_metrics(table, document_.base); }
  void read_json(const Tree& table);
  void read_platforms(const Tree& table);
  void read_notify(const Tree& table) { document_.receivers = read_receivers(table, mistakes_); }
  void read_cases(const Tree& table);

  Block read_block(const Branch& branch);

  Document& document_;
  Diagnostics& mistakes_;
  Tables tables_{mistakes_};
};

const std::array<DocumentReader::Section, 8> DocumentReader::sections{{
    {"suite", &DocumentReader::read_suite},
    {"defaults", &DocumentReader::read_defaults},
    {"rules", &DocumentReader::read_rules},
    {"metrics", &DocumentReader::read_metrics},
    {"jsonl", &DocumentReader::read_json},
    {"platforms", &DocumentReader::read_platforms},
    {"notify", &DocumentReader::read_notify},
    {"case", &DocumentReader::read_cases},
}};

void DocumentReader::read(const Tree& root) {
  for (const Branch& branch : root.branches) {
    const auto section = std::find_if(sections.begin(), sections.end(),
                                      [&](const Section& s) { return s.name == branch.key; });
    if (section == sections.end())
      report_stray(branch);
    else if (is_table(branch))
      (this->*section->read)(branch.tree);
  }
}

// A key of some section that stands before the first section is the likeliest slip.
void DocumentReader::report_stray(const Branch& branch) {
  const SettingRow* setting = find_setting(branch.key);
  if (find_row(suite_keys(), branch.key) != nullptr)
    return report(branch.at, "\"" + branch.key + "\" stands under no table; write it under [suite]");
  if (setting != nullptr)
    return report(branch.at,
                  "\"" + branch.key + "\" stands under no table; write it in " + places_of(*setting));
  std::vector<std::string> names;
  for (const Section& section : sections) names.emplace_back(section.name);
  report(branch.at, unknown(branch.tree.is_table() ? "table" : "key", branch.key, names));
}

bool DocumentReader::is_table(const Branch& branch) {
  if (branch.tree.is_table()) return true;
  report(branch.tree.word.at,
         "[" + printable(branch.key, 80) + "] is a table of keys, not " + shown(branch.tree.word));
  return false;
}

void DocumentReader::read_suite(const Tree& table) {
  for (const Branch& branch : table.branches) read_suite_key(branch);
}

void DocumentReader::read_suite_key(const Branch& branch) {
  const SettingRow* setting = find_setting(branch.key);
  if (setting != nullptr && may_stand(*setting, "suite"))
    return document_.base.push_back({Area::setting, "", {}, branch.key, branch.tree.word});
  if (find_row(suite_keys(), branch.key) != nullptr) {
    const Status done = set_suite_key(document_.suite, branch.key, branch.tree.word);
    return done ? void() : report(branch.tree.word.at, done.error().message);
  }
  if (setting != nullptr)
    return report(branch.at, branch.key + " cannot be set in [suite]; set it in " + places_of(*setting));
  std::vector<std::string> names = keys_of(suite_keys());
  for (std::string& name : keys_of(settings(), "suite")) names.push_back(std::move(name));
  report(branch.at, unknown("key", branch.key, names));
}

void DocumentReader::read_defaults(const Tree& table) {
  for (const Branch& branch : table.branches) tables_.read_setting(branch, "defaults", document_.base);
}

void DocumentReader::read_json(const Tree& table) {
  for (const Branch& branch : table.branches) {
    if (find_row(json_keys(), branch.key) == nullptr) {
      report(branch.at, unknown("key", branch.key, keys_of(json_keys())));
      continue;
    }
    const Status done = set_json_key(document_.json, branch.key, branch.tree.word);
    if (!done) report(branch.tree.word.at, done.error().message);
  }
}

void DocumentReader::read_platforms(const Tree& table) {
  for (const Branch& branch : table.branches) {
    const Result<std::vector<std::string>> members = read_list(branch.tree.word);
    if (members)
      document_.platforms[branch.key] = *members;
    else
      report(branch.tree.word.at, members.error().message);
  }
}

void DocumentReader::read_cases(const Tree& table) {
  for (const Branch& branch : table.branches) {
    if (branch.tree.is_table())
      document_.blocks.push_back(read_block(branch));
    else
      report(branch.at, "[case] holds tables named by globs, such as [case.\"pretrain/*\"]");
  }
}

Block DocumentReader::read_block(const Branch& branch) {
  Block block{branch.key, branch.at, {}};
  for (const Branch& key : branch.tree.branches) {
    const bool nested = key.key == "rules" || key.key == "metrics";
    if (!nested)
      tables_.read_setting(key, "case", block.layer);
    else if (is_table(key))
      key.key == "rules" ? tables_.read_rules(key.tree, block.layer)
                         : tables_.read_metrics(key.tree, block.layer);
  }
  return block;
}

}  // namespace

Document read_document(std::string_view toml, const std::string& file, Diagnostics& mistakes) {
  Document document;
  const Parsed<Tree> tree = parse_toml(toml, file);
  if (!tree) {
    mistakes.insert(mistakes.end(), tree.error().begin(), tree.error().end());
    return document;
  }
  DocumentReader(document, mistakes).read(*tree);
  validate(document.base, mistakes);
  for (Block& block : document.blocks) validate(block.layer, mistakes);
  return document;
}

}  // namespace gate::config
