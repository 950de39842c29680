// Layers put on each other: for every key the entry that wins.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/layers/entry.h"
#include "gate/config/policy.h"

namespace gate::config {

// What the layers say of one rule or metric. The entries belong to the layers, which must outlive it.
struct Draft {
  std::string name;
  std::map<std::string, const Entry*> keys;
  Position at;          // of the name, where it is said first
  bool broken = false;  // some entry was refused: what the rest means together is not to be judged

  // Return the winner, or nullptr.
  const Entry* find(const std::string& key) const;

  // Add a later entry. One for a key of a rule that an earlier entry switched off switches the rule on again.
  void add(const Entry& entry);
};

// Drafts by name, in the order in which the names were first said.
class Drafts {
 public:
  Draft& of(const std::string& name);
  const Draft* find(const std::string& name) const;
  const std::vector<Draft>& all() const { return all_; }

 private:
  std::vector<Draft> all_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

struct Merged {
  std::map<std::string, const Entry*> settings;  // by key; variables as `env.NAME`
  Drafts rules, metrics;

  // Put a layer on top.
  void add(const Layer& layer);
};

}  // namespace gate::config
