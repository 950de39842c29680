// Which files a shell script reads in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::config {

// Return the files that the script names behind `.` or `source`, in its order: `lib/env.sh` of
// `. lib/env.sh`, and what stands behind the last variable or command where the path begins with one:
// `../env.sh` of `source "$(dirname "$0")/../env.sh"`. A path of which nothing is written is left out.
std::vector<std::string> sourced_files(std::string_view script);

}  // namespace gate::config
