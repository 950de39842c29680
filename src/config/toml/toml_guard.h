// A guard before the TOML library (toml++ 3.3), for two kinds of text that it does not survive or survives by
// luck:
//
//   - `a.a.a.a...`, `[[[[...`: a table or array each, and stack for each of them when they are freed;
//   - `x = é`: its search for blanks has a place that is "never reached", and such letters reach it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gate/base/diagnostics.h"

namespace gate::config {

// Return the first place where a key has more than 16 dots, brackets are nested more than 32 deep, or a
// character that is not ASCII stands outside of quotes and comments, which TOML forbids anyway. Nothing where
// all is well.
std::optional<Diagnostic> find_danger(std::string_view toml, const std::string& file);

}  // namespace gate::config
