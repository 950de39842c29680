#include "gate/base/unfinished.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

#include "gate/base/proc_stat.h"
#include "gate/base/text.h"

namespace gate::fs {

namespace {

constexpr std::string_view unfinished_mark = ".gate-new-";

// In clock ticks since the host was started; nothing where there is no such process, or nobody can tell.
std::optional<std::uint64_t> start_of(pid_t pid) {
  const std::optional<ProcEntry> process =
      parse_stat(read_file("/proc/" + std::to_string(pid) + "/stat").value_or(""));
  return process ? std::optional(process->start) : std::nullopt;
}

// Where a pid means the same: on one host, in one container.
const std::string& host_of_pids() {
  static const std::string known = [] {
    constexpr std::size_t digits = 12;
    std::array<char, HOST_NAME_MAX + 1> host{};
    ::gethostname(host.data(), HOST_NAME_MAX);
    std::error_code unknown;
    const Path space = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
    return sha256(std::string(host.data()) + "\n" + space.string()).substr(0, digits);
  }();
  return known;
}

// Asked once, and again by a process that was forked since.
std::uint64_t own_start() {
  static const pid_t first = ::getpid();
  static const std::uint64_t start = start_of(first).value_or(0);
  return ::getpid() == first ? start : start_of(::getpid()).value_or(0);
}

std::string own_mark() {
  static std::atomic<int> serial = 0;
  return std::string(unfinished_mark) + std::to_string(::getpid()) + "-" + std::to_string(own_start()) + "-" +
         host_of_pids() + "-" + std::to_string(++serial);
}

bool is_gone(pid_t pid, std::uint64_t start) {
  if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
  const std::optional<std::uint64_t> now = start_of(pid);
  return now && start != 0 && *now != start;
}

// Tell whether a process of this host and container, which is gone, gave the name.
bool is_left(std::string_view name) {
  const std::size_t mark = name.rfind(unfinished_mark);
  if (mark == std::string_view::npos) return false;
  const std::vector<std::string_view> words = split(name.substr(mark + unfinished_mark.size()), '-');
  if (words.size() != 4 || words[2] != host_of_pids() || !parse_integer(words[3])) return false;
  const auto pid = parse_integer(words[0]), start = parse_integer(words[1]);
  return pid && start && *pid > 0 && *pid <= INT_MAX &&
         is_gone(static_cast<pid_t>(*pid), static_cast<std::uint64_t>(*start));
}

bool is_own(const Path& path) {
  struct stat info {};
  const bool is_there = ::lstat(path.c_str(), &info) == 0 && info.st_uid == ::geteuid();
  return is_there && (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode) || S_ISDIR(info.st_mode));
}

void remove_once(const Path& folder) {
  static std::mutex mutex;
  static std::set<Path> done;
  std::error_code unknown;
  const std::lock_guard lock(mutex);
  if (done.insert(std::filesystem::absolute(folder, unknown)).second) remove_unfinished(folder);
}

Path marked(const Path& path, const std::string& begin) {
  constexpr std::size_t longest = 150;  // of 255 bytes
  const Path folder = path.has_parent_path() ? path.parent_path() : Path(".");
  remove_once(folder);
  return path.parent_path() / (begin + path.filename().string().substr(0, longest) + own_mark());
}

}  // namespace

Path unfinished_beside(const Path& path) { return marked(path, "."); }

Path unfinished_from(const Path& start) { return marked(start, ""); }

void remove_unfinished(const Path& folder, Below below) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const Path& path = entry.path();
    if (is_left(path.filename().native()) && is_own(path))
      std::filesystem::remove_all(path, none);
    else if (below == Below::yes && entry.is_directory(none) && !entry.is_symlink(none))
      remove_unfinished(path, below);
  }
}

}  // namespace gate::fs
