#include "config/layers/entry.h"

#include <algorithm>

#include "config/tables/metric_table.h"
#include "config/tables/rule_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

bool is_name(const std::string& name) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '=' || c == '\x7f';
  });
}

Status check_rule(const Entry& entry) {
  Rule scratch;
  if (!entry.key.empty()) return set_rule_key(scratch, entry.key, entry.word);
  if (entry.word.text == "true" || entry.word.text == "false") return {};
  return fail(shown(entry.word) + " is no rule; write a table of keys, or false to switch it off");
}

Status check_metric(const Entry& entry) {
  Declared scratch;
  scratch.metric.name = scratch.pattern.metric = entry.name;
  const Status set = set_metric_key(scratch, entry.key, entry.word);
  return set && entry.key == "pattern" ? compile(scratch) : set;
}

Status check(const Entry& entry) {
  Settings scratch;
  if (entry.area == Area::setting) return set_setting(scratch, entry.key, entry.word);
  return entry.area == Area::rule ? check_rule(entry) : check_metric(entry);
}

Status check_name(const Entry& entry) {
  if (entry.area == Area::setting || is_name(entry.name)) return {};
  return fail("\"" + printable(entry.name, 80) + "\" is no name; write one without blanks and =");
}

}  // namespace

std::string path(const Entry& entry) {
  if (entry.area == Area::setting) return entry.key;
  const std::string named = (entry.area == Area::rule ? "rules." : "metrics.") + entry.name;
  return entry.key.empty() ? named : named + "." + entry.key;
}

void validate(Layer& layer, Diagnostics& mistakes) {
  for (Entry& entry : layer) {
    if (!entry.valid) continue;
    const Status name = check_name(entry);
    const Status value = check(entry);
    entry.valid = name && value;
    if (!name) mistakes.push_back({entry.name_at, name.error().message});
    if (!value) mistakes.push_back({entry.word.at, value.error().message});
  }
}

Layer variables(const Entry& entry, Diagnostics& mistakes) {
  Layer layer;
  for (const std::string& item : entry.word.items) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals == 0) {
      mistakes.push_back({entry.word.at, "\"" + printable(item, 80) + "\" is no NAME=VALUE"});
      continue;
    }
    Entry variable = entry;
    variable.key = "env." + item.substr(0, equals);
    variable.word = untyped(item.substr(equals + 1), entry.word.at, entry.word.origin);
    layer.push_back(std::move(variable));
  }
  return layer;
}

}  // namespace gate::config
