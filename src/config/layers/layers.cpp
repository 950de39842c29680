#include "config/layers/layers.h"

namespace gate::config {

const Entry* Draft::find(const std::string& key) const {
  const auto found = keys.find(key);
  return found == keys.end() ? nullptr : found->second;
}

void Draft::add(const Entry& entry) {
  if (at.file.empty()) at = entry.name_at;
  if (!entry.valid) {
    broken = true;
    return;
  }
  if (!entry.key.empty()) keys.erase("");
  keys[entry.key] = &entry;
}

Draft& Drafts::of(const std::string& name) {
  const auto [place, fresh] = index_.emplace(name, all_.size());
  if (fresh) all_.push_back({name, {}, {}, false});
  return all_[place->second];
}

const Draft* Drafts::find(const std::string& name) const {
  const auto place = index_.find(name);
  return place == index_.end() ? nullptr : &all_[place->second];
}

void Merged::add(const Layer& layer) {
  for (const Entry& entry : layer) {
    if (entry.area == Area::rule)
      rules.of(entry.name).add(entry);
    else if (entry.area == Area::metric)
      metrics.of(entry.name).add(entry);
    else if (entry.valid)
      settings[entry.key] = &entry;
  }
}

}  // namespace gate::config
