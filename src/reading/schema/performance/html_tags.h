// Tags of HTML as people write it, closed or not.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schema/performance/cell_text.h"

namespace gate::schema {

// What a `<` begins: a tag, something that is passed over (a comment, a script), or no more than text.
struct HtmlToken {
  std::string name;             // of a tag, in small letters; "" of anything else
  bool closes = false;          // `</td>`
  bool is_text = false;         // neither a tag nor passed over
  std::string_view attributes;  // of a tag
  std::size_t end = 0;          // offset behind it
};

// Return what begins at the offset, where a `<` stands. A tag may go over several lines, a quoted value in it
// over one. All tokens of a text, each searched behind the one before, take time in proportion to its length.
HtmlToken html_token(std::string_view text, std::size_t at);

// Return the value of the attribute of that name (in small letters), without its quotes; "" where there is
// none.
std::string_view attribute_of(const HtmlToken& tag, std::string_view name);

// Return the text with entities, such as `&amp;`, `&#39;` and `&#x4e00;`, as the characters that they are;
// what is none stays.
std::string without_entities(std::string_view text);

// Return the cell that the bytes between its tags make.
TableCell html_cell(std::string_view bytes, std::size_t at);

}  // namespace gate::schema
