// Patterns that need no regex engine: a literal, and a word of certain bytes behind it, as most people write
// to read one number.
//
//   loss=(?P<value>\S+)        lm loss: (?P<value>[-+.\deE]+)
//
// Everything else is RE2's.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace gate::extract {

// Return the literal that every match begins with, as far as it can be told without a parser: up to the first
// byte that is not itself. Empty if there is none, or the pattern has `|` or flags.
std::string leading_literal(std::string_view pattern);

class WordPattern {
 public:
  // Return the pattern, or nothing if it is none of these. RE2 accepts the pattern, in Latin-1.
  static std::optional<WordPattern> parse(const std::string& pattern);

  // Return what the group holds in a match that begins at that place; its data is nullptr if none does.
  std::string_view word_at(std::string_view line, std::size_t at) const;

 private:
  std::string literal_;
  std::array<bool, 256> holds_{};  // the bytes of the word
  std::size_t least_ = 0;          // of them
};

inline std::string_view WordPattern::word_at(std::string_view line, std::size_t at) const {
  if (line.size() - at < literal_.size()) return {};
  const char* const begin = line.data() + at + literal_.size();
  const char* const end = line.data() + line.size();
  if (std::memcmp(begin - literal_.size(), literal_.data(), literal_.size()) != 0) return {};
  const char* next = begin;
  while (next != end && holds_[static_cast<unsigned char>(*next)]) ++next;
  const auto size = static_cast<std::size_t>(next - begin);
  return size < least_ ? std::string_view() : std::string_view(begin, size);
}

}  // namespace gate::extract
