// #GATE lines: what a script says of itself in its leading comment block.
//
//   #GATE devices=8 timeout=30m tags=tp,pp owner="zhang wei"
//
// The block ends at the first line that is neither blank nor a comment. Words are KEY=VALUE between blanks; a
// value may hold parts in double quotes, in which \" and \\ stand for " and \, and in which a comma does not
// separate the items of a list. A word that begins with # starts a comment. Several lines count as one; a key
// twice is a mistake.
#pragma once

#include <string>
#include <string_view>

#include "config/layers/layers.h"

namespace gate::config {

// Return the settings of the script's header, validated. Mistakes are added with line and column, which
// counts characters.
Layer read_header(std::string_view script_text, const std::string& script, Diagnostics& mistakes);

}  // namespace gate::config
