// A table for what comes in turns.
//
// Lines of a log are alike, and so the same sources, readers and fields come in the same order again and
// again: the key after the one that was found last is tried before any other is looked for.
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
  // Return the value of the key, a new one where it has none. Valid until the next new one.
  template <class Like>
  Value& operator[](const Like& key) {
    if (!is_at(key)) go_to(key);
    return entries_[at_].second;
  }

  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  template <class Like>
  bool is_at(const Like& key) const {
    return at_ < entries_.size() && entries_[at_].first == key;
  }

  template <class Like>
  void go_to(const Like& key) {
    at_ = at_ + 1 < entries_.size() ? at_ + 1 : 0;
    if (!is_at(key)) at_ = place_of(key);
  }

  template <class Like>
  std::size_t place_of(const Like& key) {
    const auto it = places_.find(key);
    if (it != places_.end()) return it->second;
    places_.emplace(Key(key), entries_.size());
    entries_.emplace_back(Key(key), Value{});
    return entries_.size() - 1;
  }

  std::vector<std::pair<Key, Value>> entries_;
  std::map<Key, std::size_t, LessLike> places_;
  std::size_t at_ = 0;  // the entry that was found last
};

}  // namespace gate::extract
