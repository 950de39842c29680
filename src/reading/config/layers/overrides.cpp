#include "config/layers/layers.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

Position place_of(const Override& word) {
  const bool generic = word.origin == "--set" || word.origin.empty();
  return {generic ? "--set " + printable(word.key, 80) : word.origin, 0, 0};
}

struct Named {
  std::string name, key;
};

// Return `a.b` and `tolerance` of `a.b.tolerance`; the longest key that the table knows counts.
std::optional<Named> split_name(std::string_view rest, std::span<const SettingRow> keys) {
  std::optional<Named> best;
  for (const SettingRow& row : keys) {
    const std::string tail = "." + std::string(row.key);
    if (!rest.ends_with(tail) || rest.size() == tail.size()) continue;
    if (!best || best->key.size() < row.key.size())
      best = Named{std::string(rest.substr(0, rest.size() - tail.size())), std::string(row.key)};
  }
  return best;
}

Named unknown_key(std::string_view rest) {
  const std::size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos) return {std::string(rest), ""};
  return {std::string(rest.substr(0, dot)), std::string(rest.substr(dot + 1))};
}

class OverrideReader {
 public:
  explicit OverrideReader(Diagnostics& mistakes) : mistakes_(mistakes) {}

  void read(const Override& word);
  Layer take() { return std::move(layer_); }

 private:
  void report(const Override& word, std::string message) {
    mistakes_.push_back({place_of(word), std::move(message)});
  }
  void add(const Override& word, Area area, const Named& named);
  void read_rule(const Override& word, std::string_view rest);
  void read_metric(const Override& word, std::string_view rest);
  void read_setting(const Override& word);
  void report_unknown(const Override& word);

  Layer layer_;
  Diagnostics& mistakes_;
};

void OverrideReader::read(const Override& word) {
  const std::string_view key = word.key;
  if (key.starts_with("param.")) return;  // of matrices
  if (key.starts_with("rules.")) return read_rule(word, key.substr(6));
  if (key.starts_with("metrics.")) return read_metric(word, key.substr(8));
  read_setting(word);
}

void OverrideReader::add(const Override& word, Area area, const Named& named) {
  const Position at = place_of(word);
  layer_.push_back({area, named.name, at, named.key,
                    untyped(word.value, at, word.origin.empty() ? "--set" : word.origin)});
}

void OverrideReader::read_rule(const Override& word, std::string_view rest) {
  if (std::optional<Named> named = split_name(rest, rule_keys())) return add(word, Area::rule, *named);
  const bool is_switch = word.value == "true" || word.value == "false";
  const Named named = unknown_key(rest);
  if (is_switch || named.key.empty()) return add(word, Area::rule, {std::string(rest), ""});
  report(word, unknown("key", named.key, keys_of(rule_keys())));
}

void OverrideReader::read_metric(const Override& word, std::string_view rest) {
  if (std::optional<Named> named = split_name(rest, metric_keys())) return add(word, Area::metric, *named);
  report(word, unknown("key", unknown_key(rest).key, keys_of(metric_keys())));
}

void OverrideReader::report_unknown(const Override& word) {
  if (find_row(suite_keys(), word.key) != nullptr)
    return report(word, word.key + " is set in gate.toml under [suite] only");
  std::vector<std::string> names = keys_of(settings());
  names.insert(names.end(), {"rules.NAME.KEY", "metrics.NAME.KEY"});
  report(word, unknown("key", word.key, names));
}

void OverrideReader::read_setting(const Override& word) {
  const SettingRow* row = find_setting(setting_of(word.key));
  if (row == nullptr) return report_unknown(word);
  if (may_stand(*row, "model_config.yaml"))
    return report(word, word.key + " cannot be set with --set; set it in " + places_of(*row));
  add(word, Area::setting, {"", canonical_key(word.key)});
  if (word.key != "env") return;
  const TableEntry whole = std::move(layer_.back());
  layer_.pop_back();
  std::ranges::move(variables_of(whole, mistakes_), std::back_inserter(layer_));
}

}  // namespace

Layer read_overrides(std::span<const Override> overrides, Diagnostics& mistakes) {
  OverrideReader reader(mistakes);
  for (const Override& word : overrides) reader.read(word);
  Layer layer = reader.take();
  validate(layer, mistakes);
  return layer;
}

}  // namespace gate::config
