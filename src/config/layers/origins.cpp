#include "config/layers/origins.h"

#include <algorithm>

#include "config/tables/rule_table.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

Origin origin_of(const std::string& key, const Entry& entry) {
  return {key, entry.word.text, entry.word.origin};
}

class OriginSearch {
 public:
  explicit OriginSearch(const Merged& merged) : merged_(merged) {}

  void add_settings();
  void add_rule(const Rule& rule);
  void add_switched_off();
  void add_metrics();
  std::vector<Origin> take() { return std::move(lines_); }

 private:
  void add_setting(const SettingRow& row);
  void add_variables();

  const Merged& merged_;
  std::vector<Origin> lines_;
};

void OriginSearch::add_settings() {
  for (const SettingRow& row : settings()) row.key == "env" ? add_variables() : add_setting(row);
}

void OriginSearch::add_setting(const SettingRow& row) {
  const std::string key(row.key);
  const auto winner = merged_.settings.find(key);
  lines_.push_back(winner == merged_.settings.end() ? Origin{key, std::string(row.built_in), "built-in"}
                                                    : origin_of(key, *winner->second));
}

void OriginSearch::add_variables() {
  for (const auto& [key, entry] : merged_.settings)
    if (key.starts_with("env.")) lines_.push_back(origin_of(key, *entry));
}

void OriginSearch::add_rule(const Rule& rule) {
  const Draft* draft = merged_.rules.find(rule.name);
  for (const SettingRow& row : rule_keys()) {
    const std::string key(row.key);
    const Entry* winner = draft == nullptr ? nullptr : draft->find(key);
    const std::string built_in = show_rule_key(rule, key);
    if (winner != nullptr)
      lines_.push_back(origin_of("rules." + rule.name + "." + key, *winner));
    else if (!built_in.empty())
      lines_.push_back({"rules." + rule.name + "." + key, built_in, "built-in"});
  }
}

void OriginSearch::add_switched_off() {
  for (const Draft& draft : merged_.rules.all())
    if (const Entry* on = draft.find(""); on != nullptr && on->word.text == "false")
      lines_.push_back(origin_of("rules." + draft.name, *on));
}

void OriginSearch::add_metrics() {
  for (const Draft& draft : merged_.metrics.all())
    for (const auto& [key, entry] : draft.keys)
      lines_.push_back(origin_of("metrics." + draft.name + "." + key, *entry));
}

}  // namespace

std::vector<Origin> origins_of(const Merged& merged, const std::vector<Rule>& rules) {
  OriginSearch explanation(merged);
  explanation.add_settings();
  for (const Rule& rule : rules) explanation.add_rule(rule);
  explanation.add_switched_off();
  explanation.add_metrics();
  return explanation.take();
}

}  // namespace gate::config
