// A guard before the TOML library, which reads `a.a.a.a...` into one table per dot and needs stack for each
// of them.
#pragma once

#include <optional>
#include <string_view>

namespace gate::config {

// Return the first line on which a key has more than 16 dots or brackets are nested more than 32 deep;
// nothing where all is well. Texts in quotes and comments do not count.
std::optional<int> too_deep(std::string_view toml);

}  // namespace gate::config
