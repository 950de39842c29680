#include "config/layers/document.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/tables/document_tables.h"
#include "config/tables/key_table.h"
#include "config/tables/policy_tables.h"
#include "config/tables/setting_table.h"
#include "config/toml/toml_tree.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

// Tell whether the parts of the key are tables themselves.
bool is_part_of_tables(std::string_view key) {
  return key.starts_with("phase.") || key.starts_with("outputs.") || key.starts_with("stages.");
}

// Tell whether settings are called `KEY.NAME`.
bool is_table_of_settings(const std::string& key) {
  return std::ranges::any_of(settings(),
                             [&](const SettingRow& row) { return row.key.starts_with(key + "."); });
}

// Reads tables into entries, whose values are not looked at yet. Reports unknown keys, with the place of the
// key, and keys where they may not stand.
class DocumentReader {
 public:
  DocumentReader(Document& document, Diagnostics& mistakes) : document_(document), mistakes_(mistakes) {}

  void read(const TomlTree& root);

 private:
  struct Section {
    std::string_view name;
    void (DocumentReader::*read)(const TomlTree&);
  };
  static const std::array<Section, 17> sections;

  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void report_stray(const Branch& branch);
  bool is_table(const Branch& branch);

  void read_suite(const TomlTree& table);
  void read_defaults(const TomlTree& table);
  void read_base_rules(const TomlTree& table) { read_rules(table, document_.base); }
  void read_base_metrics(const TomlTree& table) { read_metrics(table, document_.base); }
  void read_json(const TomlTree& table);
  void read_platforms(const TomlTree& table);
  void read_hosts_table(const TomlTree& table);
  void read_notify(const TomlTree& table) { document_.receivers = read_receivers(table, mistakes_); }
  void read_store_tables(const TomlTree& table) { document_.stores = read_stores(table, mistakes_); }
  void read_peaks_table(const TomlTree& table) { document_.peaks = read_peaks(table, mistakes_); }
  void read_strategy_tables(const TomlTree& table) {
    document_.strategies = read_strategies(table, mistakes_);
  }
  void read_worker_table(const TomlTree& table) { document_.worker = read_worker(table, mistakes_); }
  void read_feature_tables(const TomlTree& table) { document_.features = read_features(table, mistakes_); }
  void read_groups(const TomlTree& table);
  void read_group(const Branch& branch);
  void read_group_key(const Branch& branch, GroupBlock& block);
  void check_group(const GroupBlock& block);
  void check_launch(const GroupBlock& block);
  void add_suite_group();
  void read_matrix_table(const TomlTree& table) { document_.matrices = read_matrices(table, mistakes_); }
  void read_platform_table(const TomlTree& table) { platforms_ = &table; }
  void read_cases(const TomlTree& table);

  void read_suite_key(const Branch& branch);
  CaseBlock read_block(const Branch& branch);
  void read_setting(const Branch& branch, std::string_view place, Layer& layer);
  void read_part(const std::string& key, const Branch& part, Layer& layer);
  void read_rules(const TomlTree& table, Layer& layer);
  void read_rule_key(const Branch& rule, const Branch& branch, Layer& layer);
  void read_metrics(const TomlTree& table, Layer& layer);
  void add(TableEntry entry, const Branch& branch, std::span<const SettingRow> known, Layer& layer);

  Document& document_;
  Diagnostics& mistakes_;
  const TomlTree* platforms_ = nullptr;  // [platform]: read behind the matrices that it speaks of
};

const std::array<DocumentReader::Section, 17> DocumentReader::sections{{
    {"suite", &DocumentReader::read_suite},
    {"defaults", &DocumentReader::read_defaults},
    {"rules", &DocumentReader::read_base_rules},
    {"metrics", &DocumentReader::read_base_metrics},
    {"jsonl", &DocumentReader::read_json},
    {"platforms", &DocumentReader::read_platforms},
    {"hosts", &DocumentReader::read_hosts_table},
    {"notify", &DocumentReader::read_notify},
    {"store", &DocumentReader::read_store_tables},
    {"peaks", &DocumentReader::read_peaks_table},
    {"strategy", &DocumentReader::read_strategy_tables},
    {"worker", &DocumentReader::read_worker_table},
    {"features", &DocumentReader::read_feature_tables},
    {"group", &DocumentReader::read_groups},
    {"matrix", &DocumentReader::read_matrix_table},
    {"platform", &DocumentReader::read_platform_table},
    {"case", &DocumentReader::read_cases},
}};

void DocumentReader::read(const TomlTree& root) {
  read_feature_tables({});
  for (const Branch& branch : root.branches) {
    if (branch.key == "suite") document_.suite_at = branch.at;
    const auto* const section = std::ranges::find(sections, branch.key, &Section::name);
    if (section == sections.end())
      report_stray(branch);
    else if (is_table(branch))
      (this->*section->read)(branch.tree);
  }
  if (platforms_ != nullptr) read_platform_blocks(*platforms_, document_.matrices, mistakes_);
  add_suite_group();
}

// A key of some section that stands before the first section is the likeliest slip.
void DocumentReader::report_stray(const Branch& branch) {
  const SettingRow* setting = find_setting(branch.key);
  if (find_row(suite_keys(), branch.key) != nullptr)
    return report(branch.at, "\"" + branch.key + "\" stands under no table; write it under [suite]");
  if (setting != nullptr)
    return report(branch.at,
                  "\"" + branch.key + "\" stands under no table; write it in " + places_of(*setting));
  report(branch.at,
         unknown(branch.tree.is_table() ? "table" : "key", branch.key, texts_of(sections, &Section::name)));
}

bool DocumentReader::is_table(const Branch& branch) {
  if (branch.tree.is_table()) return true;
  report(branch.tree.raw.at,
         "[" + printable(branch.key, 80) + "] is a table of keys, not " + shown(branch.tree.raw));
  return false;
}

void DocumentReader::read_suite(const TomlTree& table) {
  for (const Branch& branch : table.branches) read_suite_key(branch);
}

void DocumentReader::read_suite_key(const Branch& branch) {
  const SettingRow* setting = find_setting(branch.key);
  if (setting != nullptr && may_stand(*setting, "suite"))
    return document_.base.push_back({Area::setting, "", {}, branch.key, branch.tree.raw});
  if (find_row(suite_keys(), branch.key) != nullptr) {
    const Status done = assign_suite_key(document_.suite, branch.key, branch.tree.raw);
    if (!done) report(branch.tree.raw.at, done.error().message);
    return;
  }
  if (setting != nullptr)
    return report(branch.at, branch.key + " cannot be set in [suite]; set it in " + places_of(*setting));
  std::vector<std::string> names = keys_of(suite_keys());
  std::ranges::move(keys_of(settings(), "suite"), std::back_inserter(names));
  report(branch.at, unknown("key", branch.key, names));
}

void DocumentReader::read_defaults(const TomlTree& table) {
  for (const Branch& branch : table.branches) read_setting(branch, "defaults", document_.base);
}

void DocumentReader::read_json(const TomlTree& table) {
  for (const Branch& branch : table.branches) {
    if (find_row(json_keys(), branch.key) == nullptr)
      report(branch.at, unknown("key", branch.key, keys_of(json_keys())));
    else if (const Status done = assign_json_key(document_.json, branch.key, branch.tree.raw); !done)
      report(branch.tree.raw.at, done.error().message);
  }
}

void DocumentReader::read_platforms(const TomlTree& table) {
  for (const Branch& branch : table.branches) {
    if (const auto members = read_list(branch.tree.raw))
      document_.platforms[branch.key] = *members;
    else
      report(branch.tree.raw.at, members.error().message);
  }
}

void DocumentReader::read_hosts_table(const TomlTree& table) {
  const std::size_t before = mistakes_.size();
  document_.hosts = read_hosts(table, mistakes_);
  document_.hosts_are_known = mistakes_.size() == before;
}

void DocumentReader::read_groups(const TomlTree& table) {
  for (const Branch& branch : table.branches) {
    if (branch.tree.is_table())
      read_group(branch);
    else
      report(branch.at, "[group] holds tables named by groups of cases, such as [group.st]");
  }
}

void DocumentReader::read_group(const Branch& branch) {
  GroupBlock block{{branch.key}, branch.at, {}};
  const bool is_name = std::ranges::all_of(
      branch.key, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; });
  if (!is_name || branch.key.empty() || branch.key[0] == '_' || branch.key[0] == '.')
    report(branch.at,
           "\"" + printable(branch.key, 80) +
               "\" is no name of a group; write letters, digits, `_`, `-` and `.`, and no `_` or `.` "
               "first");
  for (const Branch& key : branch.tree.branches) read_group_key(key, block);
  check_group(block);
  document_.groups.push_back(std::move(block));
}

void DocumentReader::read_group_key(const Branch& branch, GroupBlock& block) {
  if (find_row(group_keys(), branch.key) == nullptr) return read_setting(branch, "group", block.layer);
  const Status done = assign_group_key(block.group, branch.key, branch.tree.raw);
  if (!done) report(branch.tree.raw.at, done.error().message);
}

void DocumentReader::check_group(const GroupBlock& block) {
  const std::size_t globs = block.group.cases.size(), paths = block.group.baselines.size();
  if (globs == 0) report(block.at, "the group has no cases; write cases = \"FOLDER/**.sh\"");
  if (globs > 0 && paths > 1 && paths != globs)
    report(block.at, count_of(static_cast<std::int64_t>(paths), "path") + " of baselines for " +
                         count_of(static_cast<std::int64_t>(globs), "glob") +
                         " of cases; write one for all, or one for each in the same order");
}

// A case that is no script is nothing that `bash {script}` starts.
void DocumentReader::check_launch(const GroupBlock& block) {
  const bool takes_args = block.group.launch.find("{args}") != std::string::npos;
  if (takes_args == (block.group.kind == CaseKind::megatron)) return;
  report(block.at, takes_args
                       ? "{args} of launch is what a case that is no script says: write kind = \"megatron\""
                       : "a launch of kind megatron has {args}: what MODEL_ARGS of the case says");
}

// What a group does not say of launching it has from [suite].
void DocumentReader::add_suite_group() {
  const CaseGroup& own = document_.suite.group;
  for (GroupBlock& block : document_.groups) {
    if (block.group.launch.empty()) block.group.launch = own.launch;
    if (block.group.cwd.empty()) block.group.cwd = own.cwd;
  }
  if (document_.groups.empty() || document_.suite.says_cases) {
    document_.groups.insert(document_.groups.begin(), {own, document_.suite_at, {}});
    check_group(document_.groups.front());
  }
  for (const GroupBlock& block : document_.groups) check_launch(block);
}

void DocumentReader::read_cases(const TomlTree& table) {
  for (const Branch& branch : table.branches) {
    if (branch.tree.is_table())
      document_.blocks.push_back(read_block(branch));
    else
      report(branch.at, "[case] holds tables named by globs, such as [case.\"pretrain/*\"]");
  }
}

CaseBlock DocumentReader::read_block(const Branch& branch) {
  CaseBlock block{branch.key, branch.at, {}};
  for (const Branch& key : branch.tree.branches) {
    if (key.key != "rules" && key.key != "metrics")
      read_setting(key, "case", block.layer);
    else if (!is_table(key))
      continue;
    else if (key.key == "rules")
      read_rules(key.tree, block.layer);
    else
      read_metrics(key.tree, block.layer);
  }
  return block;
}

// An entry of an unknown key stays, marked, so that what is left of its rule or metric is not judged.
void DocumentReader::add(TableEntry entry, const Branch& branch, std::span<const SettingRow> known,
                         Layer& layer) {
  entry.valid = find_row(known, entry.key) != nullptr;
  const bool is_part = entry.key.ends_with("." + branch.key);
  std::vector<std::string> names = keys_of(known);
  if (is_part && entry.key.starts_with("waive.")) names = {"reason", "until"};
  if (is_part && entry.key.starts_with("tolerance.")) names = {"deterministic", "otherwise"};
  if (!entry.valid) report(branch.at, unknown("key", branch.key, names));
  layer.push_back(std::move(entry));
}

void DocumentReader::read_setting(const Branch& branch, std::string_view place, Layer& layer) {
  if (branch.tree.is_table() && is_table_of_settings(branch.key)) {
    for (Branch inner : branch.tree.branches) {
      inner.key = branch.key + "." + inner.key;
      read_setting(inner, place, layer);
    }
    return;
  }
  const SettingRow* row = find_setting(branch.key);
  if (row == nullptr) {
    std::vector<std::string> names = keys_of(settings(), place);
    if (place == "group") std::ranges::move(keys_of(group_keys()), std::back_inserter(names));
    if (place == "case") names.insert(names.end(), {"rules", "metrics"});
    return report(branch.at, unknown("key", branch.key, names));
  }
  if (!may_stand(*row, place))
    return report(branch.at,
                  branch.key + " cannot be set in " + shown_place(place) + "; set it in " + places_of(*row));
  if (is_one_value(branch.key) && branch.tree.is_table())
    return layer.push_back({Area::setting, "", {}, branch.key, table_value(branch.tree)});
  if (!is_told_in_parts(branch.key) || !branch.tree.is_table())
    return layer.push_back({Area::setting, "", {}, branch.key, branch.tree.raw});
  for (const Branch& part : branch.tree.branches) read_part(branch.key + "." + part.key, part, layer);
}

// Of phases, outputs and stages each is a table within: `phase.resume.args`, `phase.resume.env.NAME`.
void DocumentReader::read_part(const std::string& key, const Branch& part, Layer& layer) {
  if (part.tree.branches.empty() || !is_part_of_tables(key))
    return layer.push_back({Area::setting, "", {}, canonical_key(key), part.tree.raw});
  for (const Branch& inner : part.tree.branches) read_part(key + "." + inner.key, inner, layer);
}

void DocumentReader::read_rules(const TomlTree& table, Layer& layer) {
  for (const Branch& rule : table.branches) {
    for (const Branch& key : rule.tree.branches) read_rule_key(rule, key, layer);
    if (!rule.tree.branches.empty()) continue;
    layer.push_back({Area::rule, rule.key, rule.at, "", rule.tree.raw});
    if (rule.tree.is_table()) layer.back().raw.text = "true";
  }
}

void DocumentReader::read_rule_key(const Branch& rule, const Branch& branch, Layer& layer) {
  const bool has_parts = branch.key == "waive" || branch.key == "tolerance";
  if (!has_parts || branch.tree.branches.empty())
    return add({Area::rule, rule.key, rule.at, branch.key, branch.tree.raw}, branch, rule_keys(), layer);
  for (const Branch& part : branch.tree.branches)
    add({Area::rule, rule.key, rule.at, branch.key + "." + part.key, part.tree.raw}, part, rule_keys(),
        layer);
}

void DocumentReader::read_metrics(const TomlTree& table, Layer& layer) {
  for (const Branch& metric : table.branches) {
    if (metric.tree.branches.empty())
      report(metric.tree.raw.at, shown(metric.tree.raw) + " is no metric; write a table with a pattern");
    for (const Branch& key : metric.tree.branches)
      add({Area::metric, metric.key, metric.at, key.key, key.tree.raw}, key, metric_keys(), layer);
  }
}

}  // namespace

Document read_document(std::string_view toml, const std::string& file, Diagnostics& mistakes) {
  Document document;
  const Parsed<TomlTree> tree = parse_toml(toml, file);
  if (!tree) {
    document.groups.push_back({document.suite.group, {}, {}});
    mistakes.insert(mistakes.end(), tree.error().begin(), tree.error().end());
    return document;
  }
  DocumentReader(document, mistakes).read(*tree);
  validate(document.base, mistakes);
  for (GroupBlock& block : document.groups) validate(block.layer, mistakes);
  for (CaseBlock& block : document.blocks) validate(block.layer, mistakes);
  return document;
}

}  // namespace gate::config
