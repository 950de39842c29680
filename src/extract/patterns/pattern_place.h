// Where in a pattern RE2 stumbled.
#pragma once

#include <re2/re2.h>

#include <string>

namespace gate::extract {

// Return why RE2 refused the pattern: its reason, and below it the pattern with a caret under the place. The
// caret is left out where the place is not known, and for a pattern of more than 400 bytes, which is cut.
std::string refusal_text(const RE2& regex);

}  // namespace gate::extract
