// Hash tables of one line: emptied by counting, and only as large as that line needs, so that a long line
// makes the short ones behind it no slower.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
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

// Slots that are free again when the next line begins. `Slot` has a member `line`.
template <class Slot>
class LineTable {
 public:
  // Begin a line that takes at most so many slots.
  void start(std::size_t most) {
    const std::size_t size = std::bit_ceil(2 * most + 8);
    if (size > slots_.size()) {
      slots_.assign(size, Slot{});
      line_ = 0;
    }
    if (++line_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      line_ = 1;
    }
    mask_ = size - 1;
  }

  // Return the slot of which `is_it` is true, or the free one where it would be.
  template <class IsIt>
  Slot& find(std::uint64_t hash, IsIt is_it) {
    std::size_t at = hash & mask_;
    while (slots_[at].line == line_ && !is_it(slots_[at])) at = (at + 1) & mask_;
    return slots_[at];
  }

  bool is_free(const Slot& slot) const { return slot.line != line_; }
  void take(Slot& slot) const { slot.line = line_; }
  std::uint32_t place_of(const Slot& slot) const { return static_cast<std::uint32_t>(&slot - slots_.data()); }

 private:
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint32_t line_ = 0;
};

// Gives the different tokens of a line and its golden lines numbers, from 0. The tokens must outlive the
// line.
class TokenNumbers {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  void start(std::size_t most) {
    table_.start(most);
    count_ = 0;
  }

  std::uint32_t number_of(std::string_view token) {
    Slot& slot = slot_of(token);
    if (table_.is_free(slot)) {
      table_.take(slot);
      slot.text = token.data();
      slot.length = token.size();
      slot.word = key_;
      slot.number = count_++;
    }
    return slot.number;
  }

  // Return the number of a token that has one, else `none`.
  std::uint32_t find(std::string_view token) {
    const Slot& slot = slot_of(token);
    return table_.is_free(slot) ? none : slot.number;
  }

  std::uint32_t count() const { return count_; }

 private:
  struct Slot {
    std::uint64_t word = 0;
    const char* text = nullptr;
    std::size_t length = 0;
    std::uint32_t number = 0;
    std::uint32_t line = 0;
  };

  static std::uint64_t load(const char* text, std::size_t length) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, length);
    return word;
  }

  Slot& slot_of(std::string_view token) {
    const char* text = token.data();
    const std::size_t length = token.size();
    if (length <= 8) {
      key_ = load_short(text, length);
      return table_.find(mix(key_ ^ seed_, factor + length),
                         [&](const Slot& slot) { return slot.word == key_ && slot.length == length; });
    }
    std::uint64_t hash = seed_ ^ length;
    std::size_t at = 0;
    for (; at + 8 <= length; at += 8) hash = mix(hash ^ load(text + at, 8), factor);
    key_ = mix(hash ^ load(text + length - 8, 8), factor);
    return table_.find(key_, [&](const Slot& slot) {
      return slot.word == key_ && slot.length == length && std::memcmp(slot.text, text, length) == 0;
    });
  }

  static std::uint64_t load_short(const char* text, std::size_t length) {
    if (length >= 4) return load(text, 4) | load(text + length - 4, 4) << 32;
    if (length == 0) return 0;
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(text[at]));
    };
    return byte(0) | byte(length / 2) << 8 | byte(length - 1) << 16;
  }

  static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;

  LineTable<Slot> table_;
  std::uint64_t seed_ = hash_seed();
  std::uint64_t key_ = 0;
  std::uint32_t count_ = 0;
};

// Counts n-grams of a line in its golden lines. An n-gram is known by the place of its first n-1 tokens and
// its last token, so that no two of them are taken for each other.
class NgramCounts {
 public:
  static constexpr std::uint32_t root = 0xFFFFFFFF;

  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t line = 0;
    std::uint32_t turn = 0;     // the golden line that was counted last,
    std::uint32_t counted = 0;  // how often it stands there,
    std::uint32_t limit = 0;    // and how often in that which has most of it
    std::uint32_t used = 0;     // how often it was found in the line
  };

  void start(std::size_t most) { table_.start(most); }

  // Count the n-grams up to this order that golden line number `turn`, from 1, holds.
  template <class Token>
  void count(const std::vector<Token>& tokens, int order, std::uint32_t turn) {
    for (std::size_t first = 0; first < tokens.size(); ++first) {
      const std::size_t end = std::min(tokens.size(), first + static_cast<std::size_t>(order));
      std::uint32_t place = root;
      for (std::size_t at = first; at < end; ++at) {
        Slot& slot = slot_of(place, static_cast<std::uint32_t>(tokens[at]));
        if (table_.is_free(slot)) {
          table_.take(slot);
          slot = {key_of(place, static_cast<std::uint32_t>(tokens[at])), slot.line, turn, 0, 0, 0};
        }
        if (slot.turn != turn) slot.turn = turn, slot.counted = 0;
        slot.limit = std::max(slot.limit, ++slot.counted);
        place = table_.place_of(slot);
      }
    }
  }

  // Add to matches[n-1] how many n-grams of the line are in its golden lines, each at most as often as in
  // that which has most of it.
  template <class Token>
  void match(const std::vector<Token>& tokens, int order, std::int64_t* matches) {
    for (std::size_t first = 0; first < tokens.size(); ++first) {
      const std::size_t end = std::min(tokens.size(), first + static_cast<std::size_t>(order));
      std::uint32_t place = root;
      for (std::size_t at = first; at < end; ++at) {
        Slot& slot = slot_of(place, static_cast<std::uint32_t>(tokens[at]));
        if (table_.is_free(slot)) break;
        if (slot.used < slot.limit) ++slot.used, ++matches[at - first];
        place = table_.place_of(slot);
      }
    }
  }

 private:
  static std::uint64_t key_of(std::uint32_t place, std::uint32_t token) {
    return static_cast<std::uint64_t>(place) << 32 | token;
  }

  Slot& slot_of(std::uint32_t place, std::uint32_t token) {
    const std::uint64_t key = key_of(place, token);
    return table_.find(mix(key ^ seed_, 0x9E3779B97F4A7C15),
                       [&](const Slot& slot) { return slot.key == key; });
  }

  LineTable<Slot> table_;
  std::uint64_t seed_ = hash_seed();
};

}  // namespace gate::score
