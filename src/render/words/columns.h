// Text fitted into terminal columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/columns.h"

namespace gate::render {

// Return the text if it fits, else as much of it as fits with `...` at the end.
std::string cut(std::string_view text, int width);

// Return the text with ASCII letters in upper case.
std::string upper(std::string_view text);

// Return the text filled with blanks up to the width.
std::string pad(std::string_view text, int width);

// Return the text as lines of at most `width` columns, broken at blanks, inside a word only where the word
// alone is too long. Lines but the first are indented by `hang`, which is below `width`. Never empty.
std::vector<std::string> wrap(std::string_view text, int width, int hang);

}  // namespace gate::render
