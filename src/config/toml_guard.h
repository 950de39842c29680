// A guard before the TOML library (toml++ 3.3), which some texts kill:
//
//   - `a.a.a.a...`, `[[[[...`: a table or array each, and stack for each of them when they are freed;
//   - `[=`, `x = [}`: assertions that a header begins with a key and a value with none of `}`, undefined
//     behaviour without assertions;
//   - `x = é`: a place that is "never reached" in the search for blanks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gate/base/diagnostics.h"

namespace gate::config {

// Return the first place where a key has more than 16 dots, brackets are nested more than 32 deep, a table
// header has no name, or a byte stands that may not: a control byte anywhere, another than ASCII outside of
// quotes and comments. Nothing where all is well.
std::optional<Diagnostic> find_danger(std::string_view toml, const std::string& file);

}  // namespace gate::config
