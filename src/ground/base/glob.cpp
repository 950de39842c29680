#include <bitset>
#include <string_view>
#include <vector>

#include "gate/base/text.h"

namespace gate {

namespace {

struct CharacterSet {
  bool matches = false;
  std::size_t end = 0;  // behind `]`; 0 where the set is not closed
};

CharacterSet match_set(std::string_view pattern, std::size_t open, char c) {
  std::size_t i = open + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  const std::size_t first = i;
  bool found = false;
  for (; i < pattern.size() && (pattern[i] != ']' || i == first); ++i) {
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      found |= pattern[i] <= c && c <= pattern[i + 2];
      i += 2;
    } else {
      found |= pattern[i] == c;
    }
  }
  if (i >= pattern.size()) return {};
  return {found != negated && c != '/', i + 1};
}

// Tell whether `**/` stands at p, where a part of a path begins: any number of folders, none too.
bool is_folders(std::string_view pattern, std::size_t p) {
  return pattern.substr(p).starts_with("**/") && (p == 0 || pattern[p - 1] == '/');
}

// One place of a glob: one character of a set, or any number of them; or a choice: the two places behind it,
// those of `**/`, may be passed over together.
struct GlobPlace {
  std::bitset<256> characters;
  bool repeats = false, is_choice = false;
};

std::bitset<256> only(char c) { return std::bitset<256>().set(static_cast<unsigned char>(c)); }

std::bitset<256> all_but_slash() { return ~only('/'); }

std::bitset<256> set_at(std::string_view pattern, std::size_t open) {
  std::bitset<256> characters;
  for (int c = 0; c < 256; ++c)
    characters.set(static_cast<std::size_t>(c), match_set(pattern, open, static_cast<char>(c)).matches);
  return characters;
}

std::vector<GlobPlace> places_of(std::string_view pattern) {
  std::vector<GlobPlace> places;
  for (std::size_t p = 0; p < pattern.size();) {
    const bool star = pattern[p] == '*';
    const bool deep = star && p + 1 < pattern.size() && pattern[p + 1] == '*';
    const std::size_t end = pattern[p] == '[' ? match_set(pattern, p, ' ').end : 0;
    if (is_folders(pattern, p)) places.push_back({.characters = {}, .is_choice = true});
    if (deep)
      places.push_back({std::bitset<256>().set(), true});
    else if (star || pattern[p] == '?')
      places.push_back({all_but_slash(), star});
    else
      places.push_back({end > 0 ? set_at(pattern, p) : only(pattern[p]), false});
    p = end > 0 ? end : p + (deep ? 2 : 1);
  }
  return places;
}

}  // namespace

// Backtracks to the last star only, which is enough because a later star subsumes an earlier one of its kind;
// `**` keeps a place of its own because it crosses `/` where `*` must not.
bool glob_match(std::string_view pattern, std::string_view name) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0, n = 0;
  std::size_t star = none, star_name = 0, deep = none, deep_name = 0;
  bool by_folders = false;
  while (n < name.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool crosses = p + 1 < pattern.size() && pattern[p + 1] == '*';
      if (crosses) by_folders = is_folders(pattern, p);
      p += !crosses ? 1 : by_folders ? 3 : 2;
      (crosses ? deep : star) = p;
      (crosses ? deep_name : star_name) = n;
      if (crosses) star = none;
      continue;
    }
    if (p < pattern.size() && n < name.size()) {
      const CharacterSet set = pattern[p] == '[' ? match_set(pattern, p, name[n]) : CharacterSet{};
      if (set.end > 0 ? set.matches : (pattern[p] == '?' && name[n] != '/') || pattern[p] == name[n]) {
        p = set.end > 0 ? set.end : p + 1;
        ++n;
        continue;
      }
    }
    if (star != none && star_name < name.size() && name[star_name] != '/') {
      p = star;
      n = ++star_name;
    } else if (deep != none && deep_name < name.size()) {
      if (by_folders) deep_name = name.find('/', deep_name);
      if (deep_name == none) return false;
      p = deep;
      n = ++deep_name;
      star = none;
    } else {
      return false;
    }
  }
  return true;
}

bool is_glob(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

// From the ends on: whether what is left of both globs, from place i and j on, has a name in common.
bool globs_overlap(std::string_view a, std::string_view b) {
  const std::vector<GlobPlace> left = places_of(a), right = places_of(b);
  std::vector<std::vector<bool>> common(left.size() + 1, std::vector<bool>(right.size() + 1));
  for (std::size_t i = left.size() + 1; i-- > 0;) {
    const GlobPlace* x = i < left.size() ? &left[i] : nullptr;
    for (std::size_t j = right.size() + 1; j-- > 0;) {
      const GlobPlace* y = j < right.size() ? &right[j] : nullptr;
      const bool both = x != nullptr && y != nullptr && (x->characters & y->characters).any();
      if (x != nullptr && x->is_choice)
        common[i][j] = common[i + 1][j] || common[i + 3][j];
      else if (y != nullptr && y->is_choice)
        common[i][j] = common[i][j + 1] || common[i][j + 3];
      else
        common[i][j] = (x == nullptr && y == nullptr) || (x != nullptr && x->repeats && common[i + 1][j]) ||
                       (y != nullptr && y->repeats && common[i][j + 1]) ||
                       (both && x->repeats && common[i][j + 1]) || (both && y->repeats && common[i + 1][j]) ||
                       (both && !x->repeats && !y->repeats && common[i + 1][j + 1]);
    }
  }
  return common[0][0];
}

}  // namespace gate
