// The words of a tolerance, with the many ways in which people type its signs made one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

enum class WordKind { sign, comparison, number, percent, name, other, end };

struct ToleranceWord {
  WordKind kind = WordKind::end;
  std::string text;           // canonical: ± + - >= <= == % 0.01 and or exact
  std::size_t character = 0;  // where it begins, in characters from 1
};

// Return the words of the text; the last one is always `end`. `±`, `+-` and `+/-` are one sign, `−` `－` `＋`
// `％` `≤` `≥` what they look like; names are in lower case; what cannot be part of a tolerance is `other`.
std::vector<ToleranceWord> tolerance_words(std::string_view text);

}  // namespace gate
