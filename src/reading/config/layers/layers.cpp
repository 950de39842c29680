#include "config/layers/layers.h"

#include <algorithm>
#include <array>
#include <set>

#include "config/tables/key_table.h"
#include "config/tables/policy_tables.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

constexpr std::string_view header_mark = " #GATE";

Status check_rule(const TableEntry& entry) {
  Rule scratch;
  if (!entry.key.empty()) return assign_rule_key(scratch, entry.key, entry.raw);
  if (entry.raw.text == "true" || entry.raw.text == "false") return {};
  return fail(shown(entry.raw) + " is no rule; write a table of keys, or false to switch it off");
}

Status check_metric(const TableEntry& entry) {
  Declared scratch;
  scratch.metric.name = scratch.pattern.metric = entry.name;
  GATE_TRY_STATUS(assign_metric_key(scratch, entry.key, entry.raw));
  return entry.key == "pattern" ? extract::check_pattern(scratch.pattern) : Status();
}

Status check_value(const TableEntry& entry) {
  if (entry.area == Area::rule) return check_rule(entry);
  if (entry.area == Area::metric) return check_metric(entry);
  Settings scratch;
  return assign_setting(scratch, entry.key, entry.raw);
}

SettingOrigin origin_of(const std::string& key, const TableEntry& entry) {
  return {key, entry.raw.text, entry.raw.origin};
}

Sentence built_in_words() { return say({"built-in", "内置"}); }

void add_settings(const Merged& merged, BuiltIns built_ins, std::vector<SettingOrigin>& lines) {
  for (const SettingRow& row : settings()) {
    const std::string key(row.key);
    const auto winner = merged.settings.find(key);
    if (winner != merged.settings.end())
      lines.push_back(origin_of(key, *winner->second));
    else if (built_ins == BuiltIns::told && row.type != "table")
      lines.push_back({key, std::string(row.built_in), built_in_words()});
    for (const auto& [part, entry] : merged.settings)
      if (part != key && setting_of(part) == key) lines.push_back(origin_of(part, *entry));
  }
  for (const auto& [key, entry] : merged.settings)
    if (key.starts_with("recipe.")) lines.push_back(origin_of(key, *entry));
}

void add_rule(const Merged& merged, const Rule& rule, BuiltIns built_ins, std::vector<SettingOrigin>& lines) {
  const Draft* draft = merged.rules.find(rule.name);
  if (built_ins == BuiltIns::left_out && (draft == nullptr || rule.metric.empty())) return;
  if (rule.metric.empty())
    return lines.push_back({"rules." + rule.name + ".tolerance", rule.name, built_in_words()});
  for (const SettingRow& row : rule_keys()) {
    const std::string key(row.key), path = "rules." + rule.name + "." + key;
    const TableEntry* winner = draft == nullptr ? nullptr : draft->find(key);
    if (winner != nullptr)
      lines.push_back(origin_of(path, *winner));
    else if (built_ins == BuiltIns::left_out)
      continue;
    else if (std::string built_in = show_rule_key(rule, key); !built_in.empty())
      lines.push_back({path, std::move(built_in), built_in_words()});
  }
}

// What a layer says of the size on all platforms takes the place of what the layers below say on some.
void drop_sizes(const Layer& layer, std::map<std::string, const TableEntry*>& settings) {
  const std::array<std::string_view, 2> keys{"devices", "nodes"};
  for (const TableEntry& entry : layer) {
    if (!entry.valid || entry.area != Area::setting || std::ranges::find(keys, entry.key) == keys.end())
      continue;
    const bool is_of_both = says_both(entry.key, entry.raw);
    std::erase_if(settings, [&](const auto& one) {
      const std::string_view key = setting_of(one.first);
      return key != one.first &&
             (key == entry.key || (is_of_both && std::ranges::find(keys, key) != keys.end()));
    });
  }
}

// What `2x8` says of nodes and devices, on all platforms or on some.
void add_both(const TableEntry& entry, std::map<std::string, const TableEntry*>& settings) {
  const std::string part = entry.key.substr(setting_of(entry.key).size());
  settings["nodes" + part] = settings["devices" + part] = &entry;
}

// Return the entry that holds where this one was said; itself where it does.
const TableEntry* held_in_place_of(const TableEntry& said,
                                   const std::map<std::string, const TableEntry*>& settings) {
  auto holds = settings.find(said.key);
  if (holds == settings.end()) holds = settings.find(std::string(setting_of(said.key)));
  return holds == settings.end() ? &said : holds->second;
}

// The command line is whoever types it: they know what they overrule.
bool is_overruled(const TableEntry& said, const TableEntry& holds) {
  return &said != &holds && !holds.raw.origin.starts_with("--") && !holds.raw.origin.ends_with(header_mark) &&
         holds.raw.text != said.raw.text;
}

}  // namespace

void validate(Layer& layer, Diagnostics& mistakes) {
  for (TableEntry& entry : layer) {
    if (!entry.valid) continue;
    const bool named = entry.area == Area::setting || is_name(entry.name);
    const Status value = check_value(entry);
    entry.valid = named && value;
    if (!named)
      mistakes.push_back({entry.name_at, "\"" + printable(entry.name, 80) +
                                             "\" is no name; write one without blanks and ="});
    if (!value) mistakes.push_back({entry.raw.at, value.error().message});
  }
}

void check_hosts(const Layer& layer, const HostSettings& hosts, Diagnostics& mistakes) {
  for (const TableEntry& entry : layer) {
    if (entry.area != Area::setting || entry.key != "hosts" || !entry.valid) continue;
    const Result<std::vector<std::string>> found = hosts_of(hosts, *read_list(entry.raw));
    if (!found) mistakes.push_back({entry.raw.at, found.error().message});
  }
}

Layer variables_of(const TableEntry& entry, Diagnostics& mistakes) {
  Layer layer;
  for (const std::string& item : entry.raw.items) {
    const auto said = key_and_value(item);
    if (!said || said->key.empty()) {
      mistakes.push_back({entry.raw.at, "\"" + printable(item, 80) + "\" is no NAME=VALUE"});
      continue;
    }
    TableEntry variable = entry;
    variable.key = "env." + std::string(said->key);
    variable.raw = untyped(std::string(said->value), entry.raw.at, entry.raw.origin);
    layer.push_back(std::move(variable));
  }
  return layer;
}

const TableEntry* Draft::find(const std::string& key) const { return value_under(keys, key); }

void Draft::add(const TableEntry& entry) {
  if (at.file.empty()) at = entry.name_at;
  broken |= !entry.valid;
  if (!entry.valid) return;
  if (!entry.key.empty()) keys.erase("");
  if (entry.key == "tolerance")
    for (const char* part : {"tolerance.deterministic", "tolerance.otherwise"}) keys.erase(part);
  if (entry.key.starts_with("tolerance.")) keys.erase("tolerance");
  keys[entry.key] = &entry;
}

Draft& Drafts::draft_of(const std::string& name) {
  const auto [place, fresh] = index_.emplace(name, all_.size());
  if (fresh) all_.push_back({name, {}, {}, false});
  return all_[place->second];
}

const Draft* Drafts::find(const std::string& name) const {
  const auto place = index_.find(name);
  return place == index_.end() ? nullptr : &all_[place->second];
}

void Merged::add(const Layer& layer) {
  std::set<const TableEntry*> said;
  for (const auto& [key, entry] : settings)
    if (entry->raw.origin.ends_with(header_mark)) said.insert(entry);
  drop_sizes(layer, settings);
  for (const TableEntry& entry : layer) {
    if (entry.area == Area::rule)
      rules.draft_of(entry.name).add(entry);
    else if (entry.area == Area::metric)
      metrics.draft_of(entry.name).add(entry);
    else if (entry.valid && says_both(entry.key, entry.raw))
      add_both(entry, settings);
    else if (entry.valid)
      settings[entry.key] = &entry;
  }
  for (const TableEntry* own : said)
    if (held_in_place_of(*own, settings) != own) overruled.push_back(own);
}

std::vector<Overruled> overruled_of(const Merged& merged) {
  std::vector<Overruled> all;
  for (const TableEntry* said : merged.overruled)
    if (const TableEntry* holds = held_in_place_of(*said, merged.settings); is_overruled(*said, *holds))
      all.push_back({origin_of(said->key, *said), origin_of(holds->key, *holds)});
  return all;
}

std::vector<SettingOrigin> origins_of(const Merged& merged, const std::vector<Rule>& rules,
                                      BuiltIns built_ins) {
  std::vector<SettingOrigin> lines;
  add_settings(merged, built_ins, lines);
  for (const Rule& rule : rules) add_rule(merged, rule, built_ins, lines);
  for (const Draft& draft : merged.rules.all())
    if (const TableEntry* on = draft.find(""); on != nullptr && on->raw.text == "false")
      lines.push_back(origin_of("rules." + draft.name, *on));
  for (const Draft& draft : merged.metrics.all())
    for (const auto& [key, entry] : draft.keys)
      lines.push_back(origin_of("metrics." + draft.name + "." + key, *entry));
  return lines;
}

}  // namespace gate::config
