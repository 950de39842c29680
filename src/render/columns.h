// Text measured in terminal columns: East Asian wide characters take two, combining marks none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::render {

// Return the text with everything that a terminal or a viewer could obey instead of show replaced by `\xNN`:
// control characters (C1 too), invalid UTF-8, direction overrides, line separators, noncharacters. A tab
// becomes a blank.
std::string safe(std::string_view text);

// Return how many columns the text takes. The text is `safe`.
int columns(std::string_view text);

// Return the text if it fits, else as much of it as fits with `...` at the end.
std::string cut(std::string_view text, int width);

// Return the text filled with blanks up to the width.
std::string pad(std::string_view text, int width);

// Return the text as lines of at most `width` columns, broken at blanks, inside a word only where the word
// alone is too long. Lines but the first are indented by `hang`, which is below `width`. Never empty.
std::vector<std::string> wrap(std::string_view text, int width, int hang);

}  // namespace gate::render
