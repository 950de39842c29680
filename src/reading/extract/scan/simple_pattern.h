// Patterns that need no regex engine: what most people write to read one number.
//
//   lm loss: *(?P<value>[-+.\deE]+)        step (?P<step>\d+) .*?loss=(?P<value>\S+)
//
// Such a pattern begins with a literal and goes on with literals, classes of bytes, once or repeated, groups,
// and at most one `.*?` with a literal behind it. Each repeated class is followed by a byte that is none of
// it, so it ends where it must and nothing is ever tried twice but the gap's literal: a match costs about as
// much as a look at its bytes. Everything else (`|`, `^`, `\b`, `{2}`, `(?i)`, `\S+x`) is RE2's.
#pragma once

#include <re2/re2.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate::extract {

// Return the literal that every match begins with, as far as it can be told without a parser: up to the first
// byte that is not itself. Empty if there is none, or the pattern has `|` or flags.
std::string leading_literal(std::string_view pattern);

class SimplePattern {
 public:
  // Return the pattern, or nothing if it is none of these. RE2 accepts the pattern, in Latin-1.
  static std::optional<SimplePattern> parse(std::string_view pattern);

  // Return the literal that every match begins with.
  const std::string& beginning() const { return items_.front().literal; }

  // Tell whether a match begins at that place of a line, and set the groups as RE2::Match does. Nothing if
  // a gap's literal stands so often in vain that RE2, which looks at each byte once, should tell.
  std::optional<bool> match(std::string_view line, std::size_t at, std::span<re2::StringPiece> groups) const;

  // Tell whether the pattern is a literal and one group of a repeated class, as most are: `loss=(\S+)`.
  bool is_word() const { return is_word_; }

  // Return what the group of such a pattern holds in a match that begins at that place; its data is nullptr
  // if none does.
  std::string_view word_at(std::string_view line, std::size_t at) const;

 private:
  friend class SimplePatternParser;
  using Bytes = std::bitset<256>;
  enum class Kind : std::uint8_t { literal, run, gap, open, close };

  struct PatternItem {
    Kind kind = Kind::literal;
    std::string literal = {};          // literal, and what stands behind a gap
    Bytes bytes = {};                  // run
    std::size_t least = 1;             // run
    std::size_t most = 1;              // run
    std::size_t group = 0;             // open, close
    std::array<bool, 256> holds = {};  // run: its bytes, as they are looked up fastest
  };

  static bool take_run(const PatternItem& run, const char*& at, const char* end);
  static bool take_literal(const std::string& literal, const char*& at, const char* end);

  std::optional<bool> match_from(std::size_t item, std::string_view line, std::size_t from,
                                 std::span<re2::StringPiece> groups) const;

  std::optional<bool> match_gap(std::size_t gap, std::string_view line, std::size_t at,
                                std::span<re2::StringPiece> groups) const;

  std::vector<PatternItem> items_;
  bool is_word_ = false;
};

inline std::string_view SimplePattern::word_at(std::string_view line, std::size_t at) const {
  const std::string& literal = items_[0].literal;
  const PatternItem& run = items_[1];
  if (line.size() - at < literal.size()) return {};
  const char* const begin = line.data() + at + literal.size();
  const char* const end = line.data() + line.size();
  if (std::memcmp(begin - literal.size(), literal.data(), literal.size()) != 0) return {};
  const char* next = begin;
  while (next != end && run.holds[static_cast<unsigned char>(*next)]) ++next;
  const auto size = static_cast<std::size_t>(next - begin);
  return size < run.least ? std::string_view() : std::string_view(begin, size);
}

}  // namespace gate::extract
