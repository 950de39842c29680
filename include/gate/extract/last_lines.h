// The end of a log, for people who look at a run that stands still.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::extract {

struct LastLines {
  std::string source;              // the launcher's prefix: `rank3`, `0: [default0]`; "" for a plain line
  std::vector<std::string> lines;  // at most `most`, in their order, printable, without the prefix
};

// Return the last lines of each source that the end of a log holds, sources in the order of their last line,
// the latest one last. A progress bar counts with what it showed last. The first line is left out where
// `text` may begin in its middle (`whole` is false).
std::vector<LastLines> last_lines(std::string_view text, bool whole, std::size_t most = 3);

}  // namespace gate::extract
