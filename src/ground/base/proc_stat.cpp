#include "gate/base/proc_stat.h"

#include "gate/base/text.h"

namespace gate {

namespace {

// The fields of /proc/PID/stat behind the name, see proc(5).
enum StatField : std::size_t { state, parent, group, session, threads = 17, start = 19 };

}  // namespace

std::optional<ProcEntry> parse_stat(std::string_view line) {
  const std::size_t open = line.find(" (");
  const std::size_t close = line.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const auto words = split_words(line.substr(close + 1));
  if (words.size() <= start) return {};
  const auto pid = parse_integer(line.substr(0, open));
  const auto number = [&](StatField field) { return parse_integer(words[field]).value_or(-1); };
  if (!pid || number(parent) < 0 || number(start) < 0) return {};
  return ProcEntry{static_cast<pid_t>(*pid),
                   static_cast<pid_t>(number(parent)),
                   static_cast<pid_t>(number(session)),
                   words[state].front(),
                   static_cast<int>(number(threads)),
                   static_cast<std::uint64_t>(number(start)),
                   static_cast<pid_t>(number(group))};
}

}  // namespace gate
