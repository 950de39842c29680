// Which files a shell script reads in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gate::config {

// Return the files that the script names behind `.` or `source`, in its order: `lib/env.sh` of
// `. lib/env.sh`, and what stands behind the last variable or command where the path begins with one:
// `../env.sh` of `source "$(dirname "$0")/../env.sh"`. A path of which nothing is written is left out.
std::vector<std::string> sourced_files(std::string_view script);

// Return the script with the text of each file in the place of a line that reads it in and does nothing else,
// where the path is written out, `. lib/env.sh`, or is beside the script, `. $(dirname "$0")/env.sh`. `read`
// returns the text of such a path, `lib/env.sh` or `./env.sh` with `is_beside`; nothing: the line stays.
using ReadSourced = std::function<std::optional<std::string>(const std::string& path, bool is_beside)>;
std::string with_sourced_files(std::string_view script, const ReadSourced& read);

}  // namespace gate::config
