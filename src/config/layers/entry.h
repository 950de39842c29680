// One key that somebody set, and a layer of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/toml/raw_value.h"

namespace gate::config {

enum class Area : std::uint8_t { setting, rule, metric };

struct Entry {
  Area area = Area::setting;
  std::string name;  // of the rule or the metric
  Position name_at;
  std::string key;  // `timeout`, `env.PATH`, `tolerance`, `waive.until`; "" for `rules.X = false`
  RawValue word;
  bool valid = true;  // false once a mistake in it was reported
};

// What one place sets ([defaults], a #GATE block, the command line...), later entries winning.
using Layer = std::vector<Entry>;

// Return `timeout`, `rules.lm_loss.tolerance`, `metrics.reward.unit`, `rules.lm_loss`.
std::string path(const Entry& entry);

// Report the words that their keys' types refuse, and mark them. Entries marked before are left alone.
void validate(Layer& layer, Diagnostics& mistakes);

// Return the entries that `env = A=1,B=2` means: `env.A`, `env.B`. Reports an item that is no NAME=VALUE.
Layer variables(const Entry& entry, Diagnostics& mistakes);

}  // namespace gate::config
