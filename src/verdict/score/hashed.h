// Hash tables of one line: emptied by counting, and only as large as that line needs, so that a long line
// makes the short ones behind it no slower.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace gate::score {

// Return a number that is another one in each process, so that no input is made to collide.
std::uint64_t hash_seed();

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t hash_factor = 0x9E3779B97F4A7C15;

// Slots that are free again when the next line begins. `Slot` has a member `line`.
template <class Slot>
class LineTable {
 public:
  // Begin a line that may take so many slots, or more.
  void start(std::size_t expected) {
    constexpr std::size_t most_expected = 2048;
    open(std::bit_ceil(4 * std::min(expected, most_expected) + 8));
  }

  // Return the slot of which `is_it` is true, or the free one where it would be.
  template <class IsIt>
  Slot& find(std::uint64_t hash, IsIt is_it) {
    std::size_t at = hash & mask_;
    while (slots_[at].line == line_ && !is_it(slots_[at])) at = (at + 1) & mask_;
    return slots_[at];
  }

  bool is_free(const Slot& slot) const { return slot.line != line_; }

  // Take a free slot; return how many were taken before.
  std::uint32_t take(Slot& slot) {
    slot.line = line_;
    return taken_++;
  }

  // Make the table larger where half of it is taken. Slots are elsewhere then.
  template <class HashOf>
  void keep_room(HashOf hash_of) {
    if (2 * static_cast<std::size_t>(taken_) > mask_) [[unlikely]]
      enlarge(hash_of);
  }

 private:
  template <class HashOf>
  void enlarge(HashOf hash_of) {
    std::vector<Slot> taken;
    for (std::size_t at = 0; at <= mask_; ++at)
      if (!is_free(slots_[at])) taken.push_back(slots_[at]);
    open(4 * (mask_ + 1));
    for (const Slot& slot : taken) {
      Slot& place = find(hash_of(slot), [](const Slot&) { return false; });
      place = slot;
      take(place);
    }
  }

  void open(std::size_t size) {
    if (size > slots_.size()) {
      slots_.assign(size, Slot{});
      line_ = 0;
    }
    if (++line_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      line_ = 1;
    }
    mask_ = size - 1;
    taken_ = 0;
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint32_t line_ = 0, taken_ = 0;
};

// Gives the different tokens of a line and its golden lines numbers, from 0. The tokens must outlive the
// line.
class TokenNumbers {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  void start(std::size_t expected) {
    table_.start(expected);
    count_ = 0;
  }

  // Return the token's number, a new one where it has none yet. Its text goes on until `end`.
  std::uint32_t number_of(std::string_view token, const char* end) {
    Key key;
    Slot& slot = slot_of(token, end, key);
    if (!table_.is_free(slot)) return slot.number;
    table_.take(slot);
    slot.word = key.word;
    slot.text = token;
    slot.number = count_;
    table_.keep_room([&](const Slot& taken) { return hash_of_slot(taken.word, taken.text.size()); });
    return count_++;
  }

  // Return the number of a token that has one, else `none`.
  std::uint32_t find(std::string_view token, const char* end) {
    Key key;
    const Slot& slot = slot_of(token, end, key);
    return table_.is_free(slot) ? none : slot.number;
  }

  std::uint32_t count() const { return count_; }

 private:
  // The bytes of a token of at most 8 of them, else their hash.
  struct Key {
    std::uint64_t word = 0;
  };

  struct Slot {
    std::uint64_t word = 0;
    std::string_view text;
    std::uint32_t number = 0;
    std::uint32_t line = 0;
  };

  static std::uint64_t load(const char* text, std::size_t length) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, length);
    return word;
  }

  static std::uint64_t load_short(std::string_view token, const char* end) {
    if (end - token.data() < 8) return load(token.data(), token.size());
    const std::uint64_t word = load(token.data(), 8);
    const auto unused = static_cast<int>(64 - 8 * token.size());
    return std::endian::native == std::endian::little ? word << unused >> unused : word >> unused << unused;
  }

  std::uint64_t hash_of(std::string_view token) const {
    std::uint64_t hash = seed_ ^ token.size();
    for (std::size_t at = 0; at + 8 < token.size(); at += 8)
      hash = mix(hash ^ load(token.data() + at, 8), hash_factor);
    return mix(hash ^ load(token.data() + token.size() - 8, 8), hash_factor);
  }

  std::uint64_t hash_of_slot(std::uint64_t word, std::size_t length) const {
    return length <= 8 ? mix(word ^ seed_, hash_factor + length) : word;
  }

  // LineTokens are not empty.
  Slot& slot_of(std::string_view token, const char* end, Key& key) {
    const bool is_short = token.size() <= 8;
    key.word = is_short ? load_short(token, end) : hash_of(token);
    return table_.find(hash_of_slot(key.word, token.size()), [&](const Slot& slot) {
      return slot.word == key.word && slot.text.size() == token.size() && (is_short || slot.text == token);
    });
  }

  LineTable<Slot> table_;
  std::uint64_t seed_ = hash_seed();
  std::uint32_t count_ = 0;
};

// Gives the different code points of a line and its golden lines numbers, from 0.
class CodePointNumbers {
 public:
  void start() {
    table_.start(0);
    count_ = 0;
  }

  std::uint32_t number_of(char32_t value) {
    Slot& slot = table_.find(hash_of(value), [&](const Slot& taken) { return taken.value == value; });
    if (!table_.is_free(slot)) return slot.number;
    table_.take(slot);
    slot.value = value;
    slot.number = count_;
    table_.keep_room([&](const Slot& taken) { return hash_of(taken.value); });
    return count_++;
  }

  std::uint32_t count() const { return count_; }

 private:
  struct Slot {
    char32_t value = 0;
    std::uint32_t number = 0;
    std::uint32_t line = 0;
  };

  std::uint64_t hash_of(char32_t value) const { return mix(value ^ seed_, hash_factor); }

  LineTable<Slot> table_;
  std::uint64_t seed_ = hash_seed();
  std::uint32_t count_ = 0;
};

// Counts n-grams of a line in its golden lines. LineTokens are numbers. An n-gram is known by the place of
// its first n-1 tokens and its last token, so that no two of them are taken for each other.
class NgramCounts {
 public:
  // Begin a line of whose golden lines the tokens are numbers below `kinds`, and which may have so many
  // n-grams.
  void start(std::size_t kinds, std::size_t expected) {
    single_.assign(kinds, {});
    table_.start(expected);
  }

  // Count the n-grams up to this order that golden line number `turn`, from 1, holds.
  void count(std::span<const std::uint32_t> tokens, int order, std::uint32_t turn) {
    for (std::size_t first = 0; first < tokens.size(); ++first) {
      const std::size_t end = std::min(tokens.size(), first + static_cast<std::size_t>(order));
      single_[tokens[first]].count(turn);
      std::uint32_t place = single_place | tokens[first];
      for (std::size_t at = first + 1; at < end; ++at) {
        Slot& slot = slot_of(place, tokens[at]);
        if (!table_.is_free(slot)) {
          slot.counts.count(turn);
          place = slot.place;
          continue;
        }
        slot.key = key_of(place, tokens[at]);
        slot.counts = {};
        slot.counts.count(turn);
        place = slot.place = table_.take(slot);
        table_.keep_room([&](const Slot& taken) { return mix(taken.key ^ seed_, hash_factor); });
      }
    }
  }

  // Add to matches[n-1] how many n-grams of the line are in its golden lines, each at most as often as in
  // that which has most of it. LineTokens that no golden line has are numbers of `kinds` or above.
  void match(std::span<const std::uint32_t> tokens, int order, std::int64_t* matches) {
    for (std::size_t first = 0; first < tokens.size(); ++first) {
      if (tokens[first] >= single_.size()) continue;
      const std::size_t end = std::min(tokens.size(), first + static_cast<std::size_t>(order));
      matches[0] += single_[tokens[first]].match();
      std::uint32_t place = single_place | tokens[first];
      for (std::size_t at = first + 1; at < end; ++at) {
        Slot& slot = slot_of(place, tokens[at]);
        if (table_.is_free(slot)) break;
        matches[at - first] += slot.counts.match();
        place = slot.place;
      }
    }
  }

 private:
  static constexpr std::uint32_t single_place = 0x80000000;

  struct Counts {
    std::uint32_t turn = 0;     // the golden line that was counted last,
    std::uint32_t counted = 0;  // how often the n-gram stands there,
    std::uint32_t limit = 0;    // and how often in that which has most of it
    std::uint32_t used = 0;     // how often it was found in the line

    void count(std::uint32_t now) {
      if (turn != now) turn = now, counted = 0;
      limit = std::max(limit, ++counted);
    }

    std::int64_t match() {
      const bool is_match = used < limit;
      used += is_match ? 1 : 0;
      return is_match ? 1 : 0;
    }
  };

  struct Slot {
    std::uint64_t key = 0;
    Counts counts;
    std::uint32_t place = 0;
    std::uint32_t line = 0;
  };

  static std::uint64_t key_of(std::uint32_t place, std::uint32_t token) {
    return static_cast<std::uint64_t>(place) << 32 | token;
  }

  Slot& slot_of(std::uint32_t place, std::uint32_t token) {
    const std::uint64_t key = key_of(place, token);
    return table_.find(mix(key ^ seed_, hash_factor), [&](const Slot& slot) { return slot.key == key; });
  }

  std::vector<Counts> single_;
  LineTable<Slot> table_;
  std::uint64_t seed_ = hash_seed();
};

}  // namespace gate::score
