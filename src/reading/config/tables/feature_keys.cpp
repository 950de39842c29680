#include "config/tables/document_tables.h"

#include <algorithm>
#include <utility>

#include "config/tables/key_table.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

Result<std::vector<std::string>> read_flags(const RawValue& raw) {
  GATE_TRY(const std::vector<std::string> flags, read_list(raw));
  for (const std::string& flag : flags)
    if (!flag.starts_with('-') || flag.find_first_not_of('-') == std::string::npos ||
        flag.find_first_of("= \t\"'$") != std::string::npos)
      return fail("\"" + printable(flag, 80) + "\" is no flag; write one such as --use-mc2");
  return flags;
}

Result<std::string> read_variable_name(const RawValue& raw) {
  GATE_TRY(const std::string name, read_text(raw));
  if (!is_variable_name(name)) return fail(shown(raw) + " is no name of a variable");
  return name;
}

constexpr std::string_view where_features = "features";
constexpr auto feature_keys_table = std::to_array<AssignRow<Feature>>({
    {{"flags", "list of flags", "", where_features, "training flags; any of them turns the feature on"},
     assign_member<&Feature::flags, read_flags>},
    {{"kind", "on_off, size or value", "on_off", where_features,
      "size: on if its number is 2 or more; value: on with any value"},
     [](Feature& feature, const RawValue& raw) {
       return assign(feature.kind, read_enum<FeatureKind>(raw, "kind", {"size", "on_off", "value"}));
     }},
    {{"variable", "text", "", where_features, "environment variable, instead of flags"},
     assign_member<&Feature::variable, read_variable_name>},
    {{"group", "text", "", where_features, "group of features to list it in"},
     [](Feature& feature, const RawValue& raw) { return assign(feature.group, read_text(raw)); }},
    {{"mcore_only", "bool", "false", where_features, "Legacy models of Megatron-LM lack it"},
     assign_member<&Feature::is_mcore_only, read_bool>},
});
constexpr auto feature_rows = rows_of(feature_keys_table);

Feature read_feature(const Branch& branch, Diagnostics& mistakes) {
  Feature feature{branch.key, "", FeatureKind::on_off, {}};
  for (const Branch& key : branch.tree.branches) {
    const RawValue& raw = key.tree.raw;
    if (find_row(feature_rows, key.key) == nullptr)
      mistakes.push_back({key.at, unknown("key", key.key, keys_of(feature_rows))});
    else if (const Status done = row_of(feature_keys_table, key.key).assign(feature, raw); !done)
      mistakes.push_back({raw.at, done.error().message});
  }
  if (trim(branch.key).empty())
    mistakes.push_back({branch.at, "a feature has a name, as [features.\"MC2\"]"});
  if (feature.flags.empty() && feature.variable.empty())
    mistakes.push_back({branch.at, "a feature has flags or a variable; write flags = [\"--use-mc2\"]"});
  return feature;
}

}  // namespace

std::span<const SettingRow> feature_keys() { return feature_rows; }

std::vector<Feature> read_features(const TomlTree& table, Diagnostics& mistakes) {
  std::vector<Feature> all;
  for (const FeatureRow& row : features()) all.push_back(feature_of(row));
  for (const Branch& branch : table.branches) {
    if (!branch.tree.is_table()) {
      mistakes.push_back(
          {branch.at, "[features] holds tables named by features, such as [features.\"MC2\"]"});
      continue;
    }
    Feature feature = read_feature(branch, mistakes);
    const auto known = std::ranges::find(all, feature.title, &Feature::title);
    if (known == all.end()) {
      all.push_back(std::move(feature));
    } else {
      feature.title = known->title;  // which has a Chinese text
      *known = std::move(feature);
    }
  }
  return all;
}

}  // namespace gate::config
