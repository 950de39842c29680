#include "words/chinese/phrase_pattern.h"

#include <algorithm>

#include "gate/words/chinese.h"

namespace gate::words {

namespace {

constexpr std::string_view plural = "(s)";
constexpr std::array<std::string_view, 10> reduces{
    "each", "mean", "median",        "min",          "max",
    "last", "p90",  "harmonic_mean", "trimmed_mean", "mean_relative_error"};

// The hole that the pattern begins with, `{1}` or `{1:s}`.
struct Hole {
  std::size_t number = 0;
  char kind = 0;
  std::size_t bytes = 0;  // of the pattern
};

std::optional<Hole> hole_at(std::string_view pattern) {
  if (pattern.size() < 3 || pattern[0] != '{') return std::nullopt;
  Hole hole;
  std::size_t at = 1;
  while (at < pattern.size() && pattern[at] >= '0' && pattern[at] <= '9')
    hole.number = hole.number * 10 + static_cast<std::size_t>(pattern[at++] - '0');
  if (at + 1 < pattern.size() && pattern[at] == ':') hole.kind = pattern[at + 1], at += 2;
  if (at >= pattern.size() || pattern[at] != '}' || hole.number == 0 || hole.number > most_holes)
    return std::nullopt;
  hole.bytes = at + 1;
  return hole;
}

// How many bytes of the pattern stand before the next hole or `(s)`.
std::size_t words_before_hole(std::string_view pattern) {
  std::size_t at = 0;
  while (at < pattern.size() && !hole_at(pattern.substr(at)) && !pattern.substr(at).starts_with(plural)) ++at;
  return at;
}

// Numbers and signs: no letter but the one of an exponent.
bool is_formula(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
    const bool is_exponent =
        (text[i] == 'e' || text[i] == 'E') && i > 0 && text[i - 1] >= '0' && text[i - 1] <= '9';
    if ((is_letter && !is_exponent) || is_mark(text[i])) return false;
  }
  return true;
}

class Matching {
 public:
  Filling filling;

  bool matches(std::string_view pattern, std::string_view phrase) {
    if (++steps_ > most_steps) return false;
    const std::size_t own = words_before_hole(pattern);
    if (phrase.substr(0, own) != pattern.substr(0, own)) return false;
    pattern.remove_prefix(own);
    phrase.remove_prefix(own);
    if (pattern.empty()) return phrase.empty();
    if (pattern.starts_with(plural)) {
      pattern.remove_prefix(plural.size());
      return (phrase.starts_with("s") && matches(pattern, phrase.substr(1))) || matches(pattern, phrase);
    }
    return fills(*hole_at(pattern), pattern, phrase);
  }

 private:
  static constexpr int most_steps = 400;

  static bool may_fill(char kind, std::string_view text) {
    if (text.empty() || (kind != 0 && text.front() == ' ')) return false;
    const auto lacks = [&](std::string_view part) { return text.find(part) == std::string_view::npos; };
    if (kind == 'w') return lacks(" ") && !text.ends_with(':') && !text.ends_with(',');
    if (kind == 's') return lacks("  ") && lacks("; ") && text.front() != ' ' && text.back() != ' ';
    if (kind == 'm' || kind == 'p')
      return !text.ends_with(':') && lacks("  ") && lacks(", ") && lacks("; ") && lacks(": ") && lacks(" (");
    if (kind == 'f') return is_formula(text);
    if (kind == 'r') return std::ranges::find(reduces, text) != reduces.end();
    return kind != 'n' || are_numbers(text);
  }

  // Where the hole's text may end: before each place at which the pattern's next words stand.
  bool fills(const Hole& hole, std::string_view pattern, std::string_view phrase) {
    pattern.remove_prefix(hole.bytes);
    const std::string_view next = pattern.substr(0, words_before_hole(pattern));
    const auto take = [&](std::size_t end) {
      if (!may_fill(hole.kind, phrase.substr(0, end))) return false;
      filling.holes.at(hole.number - 1) = phrase.substr(0, end);
      filling.kinds.at(hole.number - 1) = hole.kind;
      return matches(pattern, phrase.substr(end));
    };
    if (pattern.empty()) return take(phrase.size());
    if (next.empty()) {  // `(s)`, or another hole
      for (std::size_t end = 1; end <= phrase.size(); ++end)
        if (take(end)) return true;
      return false;
    }
    for (std::size_t end = phrase.find(next, 1); end != std::string_view::npos;
         end = phrase.find(next, end + 1)) {
      if (take(end)) return true;
      if (steps_ > most_steps) return false;
    }
    return false;
  }

  int steps_ = 0;
};

}  // namespace

std::optional<Filling> matched(std::string_view pattern, std::string_view phrase) {
  Matching matching;
  if (!matching.matches(pattern, phrase)) return std::nullopt;
  return matching.filling;
}

std::size_t own_bytes(std::string_view pattern) {
  std::size_t own = 0;
  while (!pattern.empty()) {
    const std::size_t words = words_before_hole(pattern);
    own += words;
    pattern.remove_prefix(words);
    if (const auto hole = hole_at(pattern))
      pattern.remove_prefix(hole->bytes);
    else if (!pattern.empty())
      pattern.remove_prefix(plural.size());
  }
  return own;
}

std::string_view longest_words(std::string_view pattern) {
  std::string_view longest;
  while (!pattern.empty()) {
    const std::string_view words = pattern.substr(0, words_before_hole(pattern));
    if (words.size() > longest.size()) longest = words;
    pattern.remove_prefix(words.size());
    if (const auto hole = hole_at(pattern))
      pattern.remove_prefix(hole->bytes);
    else if (!pattern.empty())
      pattern.remove_prefix(plural.size());
  }
  return longest;
}

bool are_numbers(std::string_view text) {
  constexpr std::string_view between[] = {" and ", " by ", ", ... (", " in all)", ", "};
  if (text.empty()) return false;
  while (!text.empty()) {
    const auto* const word =
        std::ranges::find_if(between, [&](std::string_view one) { return text.starts_with(one); });
    const char c = text.front();
    if (word == std::end(between) && (c < '0' || c > '9') && c != '-' && c != '.' && c != '+') return false;
    text.remove_prefix(word == std::end(between) ? 1 : word->size());
  }
  return true;
}

}  // namespace gate::words
