// A guard before the TOML library (toml++ 3.3), which some texts kill:
//
//   - `a.a.a.a...`, `[[[[...`: one table or array each, and stack for each of them when they are freed;
//   - `[=`, `[\x00`: an assertion that a table header begins with a key, undefined behaviour without
//   assertions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gate/base/diagnostics.h"

namespace gate::config {

// Return the first place where a key has more than 16 dots, brackets are nested more than 32 deep, a control
// byte stands or a table header has no name; nothing where all is well. Texts in quotes and comments may hold
// dots and brackets.
std::optional<Diagnostic> find_danger(std::string_view toml, const std::string& file);

}  // namespace gate::config
