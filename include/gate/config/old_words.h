// Words of earlier builds, so that an error about one names what to write now.
#pragma once

#include <string_view>

namespace gate::config {

// Return what is written now in the place of a command, a flag or a key, as `--report junit=FILE` for
// `--junit`; "" where the word is no earlier one. A key may be asked for behind what it is a key of.
std::string_view now_written(std::string_view word);

}  // namespace gate::config
