// A table for what comes in turns.
//
// Lines of a log are alike, and so the same sources, readers and fields come in the same order again and
// again: what followed the last time is tried before anything else is looked for.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace gate::extract {

template <class Key, class Value>
class TurnTable {
 public:
  // Return the value of the key, a new one if it has none. Valid until the next new one.
  template <class Like>
  Value& operator[](const Like& key) {
    if (entries_.empty() || !(entries_[at_].key == key)) go_to(key);
    return entries_[at_].value;
  }

  // Call on_entry(key, value) for each entry.
  template <class OnEntry>
  void for_each(const OnEntry& on_entry) {
    for (KeyedEntry& entry : entries_) on_entry(std::as_const(entry.key), entry.value);
  }

 private:
  struct KeyedEntry {
    Key key;
    Value value;
    std::size_t next;  // the entry that was found after it
  };

  template <class Like>
  void go_to(const Like& key) {
    if (entries_.empty() || !(entries_[entries_[at_].next].key == key)) {
      const std::size_t place = find_or_add(key);  // which may be the first one
      entries_[at_].next = place;
    }
    at_ = entries_[at_].next;
  }

  template <class Like>
  std::size_t find_or_add(const Like& key) {
    if (const auto it = places_.find(key); it != places_.end()) return it->second;
    entries_.push_back({Key(key), Value{}, 0});
    return places_.emplace(entries_.back().key, entries_.size() - 1).first->second;
  }

  std::vector<KeyedEntry> entries_;
  std::map<Key, std::size_t, std::less<>> places_;  // keys are compared with what is like them
  std::size_t at_ = 0;                              // the entry that was found last
};

}  // namespace gate::extract
