// Tables of gate.toml into entries, whose values are not looked at yet.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "config/layers/entry.h"
#include "config/toml/tree.h"
#include "gate/config/settings.h"

namespace gate::config {

// Return `[defaults], #GATE, [case."GLOB"], --set`: where the row's key may be set.
std::string places_of(const SettingRow& row);

// Reports unknown keys, with the place of the key, and keys where they may not stand.
class Tables {
 public:
  explicit Tables(Diagnostics& mistakes) : mistakes_(mistakes) {}

  // Read one key of [defaults] or of a case.
  void read_setting(const Branch& branch, std::string_view place, Layer& layer);

  void read_rules(const Tree& table, Layer& layer);
  void read_metrics(const Tree& table, Layer& layer);

 private:
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void refuse(Entry entry, const Branch& branch, std::span<const std::string> keys, Layer& layer);
  void read_environment(const Branch& branch, Layer& layer);
  void read_rule(const Branch& branch, Layer& layer);
  void read_rule_key(const Branch& rule, const Branch& branch, Layer& layer);
  void read_waiver_key(const Branch& rule, const Branch& branch, Layer& layer);
  void read_metric_key(const Branch& metric, const Branch& branch, Layer& layer);

  Diagnostics& mistakes_;
};

}  // namespace gate::config
