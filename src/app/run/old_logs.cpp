#include "app/run/old_logs.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>

namespace gate::app {

namespace {

constexpr std::size_t longest_beginning = std::size_t{64} << 10;
constexpr std::size_t most_beginnings = 4096;  // in memory

constexpr std::int64_t second = 1'000'000'000;  // in ns, as are all times here

std::int64_t time_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * second + now.tv_nsec;
}

// The kernel stamps local files by this clock, which is a few milliseconds behind the finer ones.
std::int64_t file_clock() { return time_of(CLOCK_REALTIME_COARSE); }

std::int64_t lead_of_file_clock() { return file_clock() - time_of(CLOCK_MONOTONIC_COARSE); }

}  // namespace

OldLogs::OldLogs(const fs::Path& fresh)
    : fresh_(state_of(fresh)), clock_(file_clock()), lead_(lead_of_file_clock()) {}

void OldLogs::note(const fs::Path& file) { keep(file, mark_of(file)); }

void OldLogs::keep(const fs::Path& file, FileMark mark) {
  const FileState& state = mark.state;
  std::string bytes = bytes_at(file, 0, longest_beginning);
  const auto breaks = std::ranges::count_if(bytes, [](char c) { return c == '\n' || c == '\r'; });
  const bool is_one_line = state.size <= bytes.size() && breaks < 2;
  if (!bytes.empty() && beginnings_.size() < most_beginnings)
    beginnings_.push_back({std::move(bytes), state.size, is_one_line});
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
  const std::string bytes = beginnings_.empty() ? "" : bytes_at(file, 0, longest_beginning + 1);
  std::uintmax_t size = 0;
  if (bytes.empty()) return size;
  for (const Beginning& old : beginnings_) {
    const bool is_part = std::string_view(old.bytes).starts_with(bytes);
    const bool is_more = std::string_view(bytes).starts_with(old.bytes);
    if (is_part || (is_more && !old.is_one_line)) size = std::max(size, old.size);
  }
  return size;
}

bool OldLogs::is_older(const FileState& state) const {
  const bool same_clock = state.identity.device == fresh_.identity.device;
  const std::int64_t set_back = lead_ - lead_of_file_clock();
  const std::int64_t launch = (same_clock ? fresh_.written : clock_) - (set_back > second ? set_back : 0);
  const bool made_before = state.identity.born != 0 && state.identity.born < launch;
  return made_before || state.written < launch;
}

}  // namespace gate::app
