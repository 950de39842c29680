// A table for what comes in turns.
//
// Lines of a log are alike, and so the same sources, readers and fields come in the same order again and
// again: what followed the last time is tried before anything else is looked for.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace gate::extract {

// Compares keys with what is like them: tuples of strings with tuples of views.
struct LessLike {
  using is_transparent = void;

  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return a < b;
  }

  template <class... A, class... B>
  bool operator()(const std::tuple<A...>& a, const std::tuple<B...>& b) const {
    return is_less<0>(a, b);
  }

 private:
  template <std::size_t I, class A, class B>
  static bool is_less(const A& a, const B& b) {
    if constexpr (I == std::tuple_size_v<A>) {
      return false;
    } else {
      if (std::get<I>(a) < std::get<I>(b)) return true;
      if (std::get<I>(b) < std::get<I>(a)) return false;
      return is_less<I + 1>(a, b);
    }
  }
};

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
  std::map<Key, std::size_t, LessLike> places_;
  std::size_t at_ = 0;  // the entry that was found last
};

}  // namespace gate::extract
