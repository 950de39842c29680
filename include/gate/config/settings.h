// The one table of settings: source of toml keys, #GATE keys, --set paths, flags, `gate list --explain` and
// the manual.
#pragma once

#include <span>
#include <string_view>

namespace gate::config {

struct SettingRow {
  std::string_view key;
  std::string_view type;      // duration, count, words, bool, text, ...
  std::string_view built_in;  // as a user would write it; "" is none
  std::string_view where;     // by commas: suite, defaults, #GATE, case, flag; --set may set every setting
  std::string_view doc;       // one line
};

std::span<const SettingRow> settings();
const SettingRow* find_setting(std::string_view key);

// Tell whether the word of --set, `startup=1m`, bounds a run alone: what is measured is what it was without.
bool is_limit(std::string_view word);

// The keys of a rule, of a metric, of [jsonl], of [hosts], of [notify.NAME] and of [suite] alone, for the
// manual and for suggestions. A waiver's two keys stand as `waive.reason` and `waive.until`.
std::span<const SettingRow> rule_keys();
std::span<const SettingRow> metric_keys();
std::span<const SettingRow> json_keys();
std::span<const SettingRow> host_keys();
std::span<const SettingRow> notify_keys();
std::span<const SettingRow> suite_keys();

// The keys of a phase, `phase.NAME.KEY`.
std::span<const SettingRow> phase_keys();

// The keys of a stage, `stages.NAME.KEY`.
std::span<const SettingRow> stage_keys();

// The keys of a strategy, [strategy.NAME].
std::span<const SettingRow> strategy_keys();

// The keys of an output, `outputs.NAME.KEY`.
std::span<const SettingRow> output_keys();

// The keys of a feature, [features."TITLE"].
std::span<const SettingRow> feature_keys();

// The keys of [worker].
std::span<const SettingRow> worker_keys();

// The keys of a store, [store.s3] and [store.obs].
std::span<const SettingRow> store_keys();

// Those of [suite] that [group.NAME] has, too.
std::span<const SettingRow> group_keys();

}  // namespace gate::config
