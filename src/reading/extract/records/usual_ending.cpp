#include "extract/records/usual_ending.h"

#include <algorithm>
#include <string>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

// Return a number that is the same for words that end alike: in what stands behind the last digit; where that
// is the end, in how many decimals there are; without a point in all of the word, each digit taken for a 0.
std::uint64_t ending_of(std::string_view word) {
  std::size_t unit = word.size();
  while (unit > 0 && !is_digit(word[unit - 1])) --unit;
  const std::size_t point = unit < word.size() ? unit : word.rfind('.');
  std::uint64_t ending = 0;
  for (const char c : word.substr(unit == 0 || point == std::string_view::npos ? 0 : point))
    ending = ending * 131 + static_cast<unsigned char>(is_digit(c) ? '0' : c);
  return ending;
}

// Return how many digits stand behind the point, or in all of the word where it has none; those of a word
// with a unit are never enough.
std::size_t digits_at_end(std::string_view word) {
  if (word.empty() || !is_digit(word.back())) return std::string_view::npos;
  const std::size_t point = word.rfind('.');
  return point == std::string_view::npos ? word.size() : word.size() - point - 1;
}

}  // namespace

void UsualEnding::note(std::string_view word) {
  constexpr std::size_t enough = 64;
  if (words_ == enough) return;
  const std::uint64_t ending = ending_of(word);
  differ_ |= words_++ > 0 && ending != ending_;
  ending_ = ending;
  digits_ = std::max(digits_, digits_at_end(word));
}

bool UsualEnding::is_of(std::string_view word) const {
  const std::size_t enough = !word.empty() && is_digit(word.back()) ? 2 : 1;
  return words_ >= enough && !differ_ && ending_ == ending_of(word);
}

bool UsualEnding::has_most_digits(std::string_view word) const {
  return words_ >= 2 && digits_at_end(word) != std::string_view::npos && digits_at_end(word) >= digits_;
}

Sentence cut_off_words(std::string_view text) {
  constexpr std::size_t enough = 40;
  text = trim(text);
  if (text.size() > enough) text.remove_prefix(text.size() - enough);
  return say({"record cut off at {}", "记录在 {} 处被截断"}, "`" + printable(text) + "`");
}

}  // namespace gate::extract
