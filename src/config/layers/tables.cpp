#include "config/layers/tables.h"

#include "config/toml/vocabulary.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

std::string shown_place(std::string_view place) {
  if (place == "flag") return "--set";
  if (place == "case") return "[case.\"GLOB\"]";
  return place == "#GATE" ? "#GATE" : "[" + std::string(place) + "]";
}

}  // namespace

std::string places_of(const SettingRow& row) {
  std::string places;
  for (const std::string_view place : split(row.where, ','))
    places += (places.empty() ? "" : ", ") + shown_place(trim(place));
  return places;
}

// The entry stays, marked, so that what is left of its rule or metric is not judged.
void Tables::refuse(Entry entry, const Branch& branch, std::span<const std::string> keys, Layer& layer) {
  report(branch.at, unknown("key", branch.key, keys));
  entry.valid = false;
  layer.push_back(std::move(entry));
}

void Tables::read_setting(const Branch& branch, std::string_view place, Layer& layer) {
  const SettingRow* row = find_setting(branch.key);
  if (row == nullptr) {
    std::vector<std::string> names = keys_of(settings(), place);
    if (place == "case") names.insert(names.end(), {"rules", "metrics"});
    return report(branch.at, unknown("key", branch.key, names));
  }
  if (!may_stand(*row, place))
    return report(branch.at,
                  branch.key + " cannot be set in " + shown_place(place) + "; set it in " + places_of(*row));
  if (branch.key == "env" && branch.tree.is_table()) return read_environment(branch, layer);
  layer.push_back({Area::setting, "", {}, branch.key, branch.tree.word});
}

void Tables::read_environment(const Branch& branch, Layer& layer) {
  for (const Branch& variable : branch.tree.branches)
    layer.push_back({Area::setting, "", {}, "env." + variable.key, variable.tree.word});
}

void Tables::read_rules(const Tree& table, Layer& layer) {
  for (const Branch& branch : table.branches) read_rule(branch, layer);
}

void Tables::read_rule(const Branch& branch, Layer& layer) {
  if (!branch.tree.is_table())
    return layer.push_back({Area::rule, branch.key, branch.at, "", branch.tree.word});
  if (branch.tree.branches.empty()) {
    RawValue on = branch.tree.word;
    on.text = "true";
    return layer.push_back({Area::rule, branch.key, branch.at, "", on});
  }
  for (const Branch& key : branch.tree.branches) read_rule_key(branch, key, layer);
}

void Tables::read_rule_key(const Branch& rule, const Branch& branch, Layer& layer) {
  const Entry entry{Area::rule, rule.key, rule.at, branch.key, branch.tree.word};
  if (find_row(rule_keys(), branch.key) == nullptr) return refuse(entry, branch, keys_of(rule_keys()), layer);
  if (branch.key != "waive" || branch.tree.branches.empty()) return layer.push_back(entry);
  for (const Branch& part : branch.tree.branches) read_waiver_key(rule, part, layer);
}

void Tables::read_waiver_key(const Branch& rule, const Branch& branch, Layer& layer) {
  const Entry entry{Area::rule, rule.key, rule.at, "waive." + branch.key, branch.tree.word};
  if (find_row(rule_keys(), entry.key) == nullptr)
    return refuse(entry, branch, std::vector<std::string>{"reason", "until"}, layer);
  layer.push_back(entry);
}

void Tables::read_metrics(const Tree& table, Layer& layer) {
  for (const Branch& branch : table.branches) {
    if (branch.tree.branches.empty())
      report(branch.tree.word.at, shown(branch.tree.word) + " is no metric; write a table with a pattern");
    for (const Branch& key : branch.tree.branches) read_metric_key(branch, key, layer);
  }
}

void Tables::read_metric_key(const Branch& metric, const Branch& branch, Layer& layer) {
  const Entry entry{Area::metric, metric.key, metric.at, branch.key, branch.tree.word};
  if (find_row(metric_keys(), branch.key) == nullptr)
    return refuse(entry, branch, keys_of(metric_keys()), layer);
  layer.push_back(entry);
}

}  // namespace gate::config
