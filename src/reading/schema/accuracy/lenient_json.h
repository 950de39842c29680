// JSON as people write it.
#pragma once

#include <string>
#include <string_view>

namespace gate::schema {

// Return the text with blanks in the place of each byte of its comments, which reach from `#` or `//` to the
// end of their line, and of each comma behind which nothing but blanks and comments stands before `}` or `]`.
// Texts in quotes are left alone. All that is left keeps its line and column.
std::string strict_json(std::string_view text);

}  // namespace gate::schema
