// What Python's str methods do with a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/utf8.h"

namespace gate::score {

// Return the text if it is UTF-8; else the buffer, made the text with U+FFFD for what is none.
std::string_view replace_invalid(std::string_view text, std::string& buffer);

std::int64_t count_code_points(std::string_view text);

// Set `out` to the code points of the text.
void decode(std::string_view text, std::vector<char32_t>& out);

// Tell whether Python's str.split() takes the code point for a blank.
bool is_blank(char32_t code_point);

// Return where the last code point of the text begins, which is UTF-8 and not empty.
std::size_t last_start(std::string_view text);

// Return the length in bytes of the blank that begins there, or 0. The text is UTF-8.
std::size_t blank_length(std::string_view text, std::size_t at);

// Return the text, which is UTF-8, without blanks at its end, or at both.
std::string_view strip_end(std::string_view text);
std::string_view strip_both(std::string_view text);

// Append the text, which is UTF-8, in lower case as Python's str.lower() has it: U+0130 becomes two code
// points, and a capital sigma at the end of a word U+03C2.
void append_lower_case(std::string& out, std::string_view text);

// Return how many code points both texts begin with.
std::int64_t common_start(std::string_view a, std::string_view b);

}  // namespace gate::score
