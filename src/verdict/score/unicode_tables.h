// What Unicode says of a code point, as far as tokenizers ask.
#pragma once

#include <cstdint>

namespace gate::score {

// Letters at every `stride` from first to last, each of which is so far from its lower case.
struct LowerCaseRow {
  char32_t first = 0, last = 0;
  char32_t stride = 1;
  std::int32_t distance = 0;
};

// Tell whether the general category of the code point is P, S, N (of Unicode 17.0).
bool is_punctuation(char32_t code_point);
bool is_symbol(char32_t code_point);
bool is_number(char32_t code_point);

// Tell whether the code point has a letter case, or is passed over where the case around a letter is looked
// at.
bool is_cased(char32_t code_point);
bool is_case_ignorable(char32_t code_point);

// Return its lower case where that is one code point, as it is of all but U+0130; else the code point.
char32_t lower_case(char32_t code_point);

}  // namespace gate::score
