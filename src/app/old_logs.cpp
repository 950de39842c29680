#include "app/old_logs.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

namespace gate::app {

namespace {

constexpr std::size_t longest_beginning = std::size_t{64} << 10;

// The kernel stamps local files by this clock, which is a few milliseconds behind the finer ones.
std::int64_t file_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

// FNV-1a of bytes that come in pieces.
class PrefixHash {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace

OldLogs::OldLogs(const fs::Path& fresh) : fresh_(state_of(fresh)), clock_(file_clock()) {}

void OldLogs::note(const fs::Path& file) { keep(file, mark_of(file)); }

void OldLogs::keep(const fs::Path& file, FileMark mark) {
  const FileState& state = mark.state;
  const std::string bytes = bytes_at(file, 0, longest_beginning);
  const bool is_one_line = state.size <= bytes.size() && std::ranges::count(bytes, '\n') < 2;
  PrefixHash hash;
  hash.add(bytes);
  if (!bytes.empty()) beginnings_.emplace(bytes.size(), Beginning{hash.value(), state.size, is_one_line});
  marks_[{state.identity.device, state.identity.inode}] = std::move(mark);
}

std::uintmax_t OldLogs::start_of(const fs::Path& file) {
  const FileState state = state_of(file);
  const auto mark = marks_.find({state.identity.device, state.identity.inode});
  if (mark != marks_.end())
    if (const std::uintmax_t since = written_since(mark->second, file); since > 0) return since;
  if (const std::uintmax_t since = copied(file); since > 0) return since;
  if (mark != marks_.end() && mark->second.state.identity == state.identity) return 0;
  if (!is_older(state)) return 0;
  keep(file, mark_of(file));
  return state.size;
}

std::uintmax_t OldLogs::copied(const fs::Path& file) const {
  if (beginnings_.empty()) return 0;
  const std::string bytes = bytes_at(file, 0, longest_beginning + 1);
  std::uintmax_t size = 0;
  std::size_t length = 0;
  PrefixHash hash;
  for (const auto& [longer, beginning] : beginnings_) {
    if (longer > bytes.size()) break;
    hash.add(std::string_view(bytes).substr(length, longer - length));
    length = longer;
    const bool is_whole = longer == bytes.size();
    if (hash.value() == beginning.hash && (is_whole || !beginning.is_one_line))
      size = std::max(size, beginning.size);
  }
  return size;
}

bool OldLogs::is_older(const FileState& state) const {
  const bool same_clock = state.identity.device == fresh_.identity.device;
  const std::int64_t launch = same_clock ? fresh_.written : clock_;
  const bool made_before = state.identity.born != 0 && state.identity.born < launch;
  return made_before || state.written < launch;
}

}  // namespace gate::app
