#include "gate/extract/last_lines.h"

#include <algorithm>

#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest = 300;

std::string_view last_part(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t back = line.rfind('\r');
  return back == std::string_view::npos ? line : line.substr(back + 1);
}

// `ValueError: ` looks like a host's name, and is none.
Prefix launcher_prefix(std::string_view line) {
  const Prefix prefix = parse_prefix(line);
  return prefix.source.find_first_of("0123456789[(") == std::string_view::npos ? Prefix{} : prefix;
}

// Return the source's entry, moved to the end.
LastLines& latest(std::vector<LastLines>& all, std::string_view source) {
  const auto it = std::ranges::find(all, source, &LastLines::source);
  if (it == all.end()) return all.emplace_back(LastLines{std::string(source), {}});
  std::rotate(it, it + 1, all.end());
  return all.back();
}

}  // namespace

std::vector<LastLines> last_lines(std::string_view text, bool whole, std::size_t most) {
  if (!whole) text.remove_prefix(std::min(text.size(), text.find('\n')));
  std::vector<LastLines> all;
  std::string scratch;
  for (const std::string_view physical : split(text, '\n')) {
    const std::string_view line = strip_escapes(last_part(physical), scratch);
    if (trim(line).empty()) continue;
    const Prefix prefix = launcher_prefix(line);
    LastLines& last = latest(all, prefix.source);
    last.lines.push_back(printable(trim(line.substr(prefix.payload)), longest));
    if (last.lines.size() > most) last.lines.erase(last.lines.begin());
  }
  return all;
}

}  // namespace gate::extract
