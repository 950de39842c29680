// Keys that somebody set, in layers, and the layers put on each other: for every key the entry that wins.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/toml/toml_values.h"
#include "gate/config/case_names.h"
#include "gate/config/policy.h"

namespace gate::config {

enum class Area : std::uint8_t { setting, rule, metric };

// One key that somebody set.
struct TableEntry {
  Area area = Area::setting;
  std::string name;  // of the rule or the metric
  Position name_at;
  std::string key;  // `timeout`, `env.PATH`, `tolerance`, `waive.until`; "" for `rules.X = false`
  RawValue raw;
  bool valid = true;  // false once a mistake in it was reported
};

// What one place sets ([defaults], a #GATE block, the command line...), later entries winning.
using Layer = std::vector<TableEntry>;

// Report the values that their keys' types refuse, and mark them. Entries marked before are left alone.
void validate(Layer& layer, Diagnostics& mistakes);

// Report what the entries that choose hosts name and [hosts] does not.
void check_hosts(const Layer& layer, const HostSettings& hosts, Diagnostics& mistakes);

// Return the entries that `env = A=1,B=2` means: `env.A`, `env.B`. Reports an item that is no NAME=VALUE.
Layer variables_of(const TableEntry& entry, Diagnostics& mistakes);

// What the layers say of one rule or metric. The entries belong to the layers, which must outlive it.
struct Draft {
  std::string name;
  std::map<std::string, const TableEntry*> keys;
  Position at;          // of the name, where it is said first
  bool broken = false;  // some entry was refused: what the rest means together is not to be judged

  // Return the winner, or nullptr.
  const TableEntry* find(const std::string& key) const;

  // Add a later entry. One for a key of a rule that an earlier entry switched off switches the rule on again.
  // A tolerance takes the place of a pair of them, and the other way about.
  void add(const TableEntry& entry);
};

// Drafts by name, in the order in which the names were first said.
class Drafts {
 public:
  Draft& draft_of(const std::string& name);
  const Draft* find(const std::string& name) const;
  const std::vector<Draft>& all() const { return all_; }

 private:
  std::vector<Draft> all_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

struct Merged {
  std::map<std::string, const TableEntry*> settings;  // by key; variables as `env.NAME`
  Drafts rules, metrics;
  // Entries of #GATE lines whose place another layer took.
  std::vector<const TableEntry*> overruled;

  // Put a layer on top.
  void add(const Layer& layer);
};

enum class BuiltIns : std::uint8_t { told, left_out };

// Return where every value of a case comes from: one line for each setting in the order of the table, each
// variable, each key that a rule has (or that it is switched off), and each key that a layer gives to a
// metric.
std::vector<SettingOrigin> origins_of(const Merged& merged, const std::vector<Rule>& rules,
                                      BuiltIns built_ins = BuiltIns::told);

// Return what gate.toml overrules of the script's own lines.
std::vector<Overruled> overruled_of(const Merged& merged);

// Return the settings of the case's file, validated, with its mistakes added.
//
// Of model_config.yaml: each of ENV_VARS is a variable; METRICS is `recipe.metrics`; BEFORE_SCRIPT is
// `setup`; the steps are those of --exit-interval, else --train-iters; TEST_TYPE is a tag; SKIP_PYTEST=1 is
// `judge = "exit"`, NVTE_ALLOW_NONDETERMINISTIC_ALGO=1 `recipe.nondeterministic`.
Layer read_case_layer(CaseKind kind, std::string_view text, const std::string& file, Diagnostics& mistakes);

// Return the entries of the overrides, validated. A path is a setting (`timeout`), a variable (`env.NAME`), a
// key of a rule or of a metric (`rules.lm_loss.tolerance`, where NAME may hold dots), or `rules.NAME` for
// true and false. Mistakes are added; their file is `--set PATH`, or the flag.
Layer read_overrides(std::span<const Override> overrides, Diagnostics& mistakes);

// Report what does not go together: a phase that `phases` does not name, one that is judged against itself or
// a later one, and a first one that is not judged against the baseline.
void check_phases(const Merged& merged, Diagnostics& mistakes);

// Report an output that check_output() refuses, and settings of the case under which none would be judged.
void check_outputs(const Merged& merged, Diagnostics& mistakes);

}  // namespace gate::config
