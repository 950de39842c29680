#include "gate/base/set_aside.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/base/unfinished.h"

namespace gate {

namespace {

constexpr std::string_view aside_mark = ".gate-aside-", journal_start = "aside-", head = "gate.aside/1";
constexpr std::size_t digits = 12;  // behind the mark
constexpr std::string_view hexadecimal = "0123456789abcdef";

tl::unexpected<Error> aside_failure(const fs::Path& path, const std::string& what) {
  return fail(path.string() + ": cannot " + what + ": " + std::strerror(errno));
}

// What a file is, beyond its name. No clock of this host is in it.
struct KeptFile {
  std::string inode, size, changed, sha256;
  bool operator==(const KeptFile&) const = default;
};

std::int64_t change_time(const struct stat& info) {
  return info.st_ctim.tv_sec * std::int64_t{1'000'000'000} + info.st_ctim.tv_nsec;
}

std::optional<KeptFile> mark_of_file(const fs::Path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return KeptFile{std::to_string(info.st_ino), std::to_string(info.st_size),
                  std::to_string(change_time(info)), fs::sha256_of(path).value_or("")};
}

// Of a file that was found as `shown`: links to folders may lead elsewhere later.
struct Renaming {
  std::string shown, from, to, inode;
};

struct AsideJournal {
  std::string owner;
  std::vector<AsidePlace> places;
  std::vector<Renaming> moves;
  std::map<std::string, KeptFile> marks;
  std::vector<std::string> others;
  std::optional<std::int64_t> done;  // what changed later did so behind it; by its file system
};

// Words end with a byte that no path has.
std::string written(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(word) += '\0';
  return text;
}

// Of a journal that was cut off, what is whole.
std::optional<AsideJournal> parse(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t end; (end = text.find('\0')) != std::string_view::npos; text.remove_prefix(end + 1))
    words.emplace_back(text.substr(0, end));
  if (words.size() < 2 || words[0] != head) return std::nullopt;
  AsideJournal journal;
  journal.owner = words[1];
  static const std::map<std::string_view, std::size_t> lengths{
      {"place", 2}, {"see", 1}, {"move", 4}, {"mark", 5}, {"done", 1}};
  for (std::size_t at = 2; at < words.size();) {
    const auto length = lengths.find(words[at]);
    if (length == lengths.end() || at + length->second >= words.size()) break;
    const std::string *const kind = &words[at], *const word = kind + 1;
    if (*kind == "place") journal.places.push_back({word[0], word[1]});
    if (*kind == "see") journal.others.push_back(word[0]);
    if (*kind == "move") journal.moves.push_back({word[0], word[1], word[2], word[3]});
    if (*kind == "mark") journal.marks[word[0]] = {word[1], word[2], word[3], word[4]};
    if (*kind == "done") journal.done = parse_integer(word[0]);
    at += 1 + length->second;
  }
  return journal;
}

// Nothing where there is none, or what stands there is not this user's own.
std::optional<AsideJournal> read_journal(const fs::Path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat info {};
  const bool is_own = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() &&
                      (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  std::string text;
  std::array<char, 65536> block{};
  for (ssize_t size = 1; is_own && size > 0; text.append(block.data(), static_cast<std::size_t>(size))) {
    size = std::max<ssize_t>(::read(file, block.data(), block.size()), 0);
    if (size == 0) break;
  }
  ::close(file);
  return parse(text);
}

struct flock whole(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

// Holds the journal open, and with it the lock that says that this process lives; with -1 no longer.
void hold(const std::string& journal, int file) {
  static std::mutex mutex;
  static std::map<std::string, int> held;
  const std::lock_guard lock(mutex);
  if (const auto before = held.extract(journal)) ::close(before.mapped());
  if (file >= 0) held[journal] = file;
}

std::vector<std::string> files_at(const AsidePlace& place) {
  std::vector<std::string> files = fs::files_for(place.folder, place.glob);
  std::erase_if(files, [&](const std::string& file) { return !glob_match(place.glob, file); });
  return files;
}

std::string path_at(const AsidePlace& place, const std::string& file) {
  return (fs::Path(place.folder) / file).string();
}

bool is_link(const fs::Path& path) {
  std::error_code error;
  return std::filesystem::is_symlink(path, error);
}

bool is_kept(const fs::Path& path, const std::vector<std::string>& kept) {
  return std::ranges::any_of(kept, [&](const std::string& one) {
    std::error_code error;
    return std::filesystem::equivalent(path, one, error) || (fs::is_folder(one) && fs::is_within(path, one));
  });
}

// In the same folder, and found by no glob that a script may have for its own files.
std::string aside_name(const fs::Path& path, const std::string& launch) {
  constexpr std::size_t longest = 180;  // of 255 bytes
  const std::string name = path.filename().string();
  return (path.parent_path() / ("." + name.substr(0, longest) + std::string(aside_mark) +
                                fs::sha256(launch + path.string()).substr(0, digits)))
      .string();
}

void append_mark(std::vector<std::string>& words, const std::string& path) {
  if (const auto mark = mark_of_file(path))
    words.insert(words.end(), {"mark", path, mark->inode, mark->size, mark->changed, mark->sha256});
}

bool append(int file, const std::vector<std::string>& words) {
  const std::string text = written(words);
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = ::write(file, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) return false;
    rest.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  return true;
}

// What stands at the new name is not replaced, where the file system can tell.
bool rename_free(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL) return false;
  if (!fs::is_taken(to)) return ::rename(from.c_str(), to.c_str()) == 0;
  errno = EEXIST;
  return false;
}

// The words of the journal, and what is to be renamed.
struct Intent {
  std::vector<std::string> words;
  std::vector<Renaming> moves;
};

Intent intent_of(const Asides& asides) {
  Intent intent{{std::string(head), owner_of_asides()}, {}};
  std::set<std::string> seen;
  if (!asides.see.empty()) intent.words.insert(intent.words.end(), {"see", asides.see});
  for (const AsidePlace& place : asides.places) {
    intent.words.insert(intent.words.end(), {"place", place.folder, place.glob});
    for (const std::string& file : files_at(place)) {
      const std::string path = path_at(place, file);
      if (!seen.insert(path).second) continue;
      struct stat info {};
      if (is_link(path) || is_kept(path, asides.kept) || ::stat(path.c_str(), &info) != 0) {
        append_mark(intent.words, path);
        continue;
      }
      const fs::Path real = fs::whole_path(path);
      intent.moves.push_back(
          {path, real.string(), aside_name(real, asides.journal), std::to_string(info.st_ino)});
      const Renaming& move = intent.moves.back();
      intent.words.insert(intent.words.end(), {"move", move.shown, move.from, move.to, move.inode});
    }
  }
  return intent;
}

// Returns the open journal, locked; nothing where another node has made one meanwhile.
Result<std::optional<int>> make_journal(const fs::Path& path, const Intent& intent) {
  constexpr mode_t for_its_user = 0600;
  const std::string fresh = fs::unfinished_beside(path).string();
  const int file = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, for_its_user);
  if (file < 0) return aside_failure(path, "write what is set aside");
  struct flock lock = whole(F_WRLCK);
  ::fcntl(file, F_OFD_SETLK, &lock);
  const bool is_whole = append(file, intent.words) && (intent.moves.empty() || ::fdatasync(file) == 0);
  if (is_whole && rename_free(fresh, path.string())) return std::optional(file);
  const bool is_other = is_whole && errno == EEXIST;
  const auto failure = aside_failure(path, "write what is set aside");
  ::unlink(fresh.c_str());
  ::close(file);
  return is_other ? Result<std::optional<int>>(std::nullopt) : failure;
}

// Return the time of change of the open file, once the next change has a later one: such times are as coarse
// as the kernel's tick. Of a file system with coarser ones, a time before.
std::int64_t end_of_tick(int file) {
  constexpr Duration limit{40}, pause{1};
  struct stat then {
  }, now{};
  ::futimens(file, nullptr);
  ::fstat(file, &then);
  const auto end = SteadyClock::now() + limit;
  do {
    std::this_thread::sleep_for(pause);
    ::futimens(file, nullptr);
    ::fstat(file, &now);
  } while (change_time(now) <= change_time(then) && SteadyClock::now() < end);
  return change_time(now) > change_time(then) ? change_time(then) : change_time(then) - 1;
}

Status wait_for_other(const fs::Path& journal) {
  constexpr Duration limit = std::chrono::seconds(60), pause{20};
  const auto end = SteadyClock::now() + limit;
  while (SteadyClock::now() < end) {
    const std::optional<AsideJournal> other = read_journal(journal);
    if (other && other->done) return {};
    if (!other) break;
    std::this_thread::sleep_for(pause);
  }
  return fail(journal.string() + ": another node began to set outputs aside, and did not end");
}

// Nobody needs the old one where the script wrote another; else it has its name again. Returns false where it
// cannot be had.
bool put_back(const Renaming& move, std::set<std::string>& old) {
  struct stat info {};
  if (::lstat(move.to.c_str(), &info) != 0 || std::to_string(info.st_ino) != move.inode) return true;
  if (rename_free(move.to, move.from)) {
    const bool is_there = ::stat(move.shown.c_str(), &info) == 0 && std::to_string(info.st_ino) == move.inode;
    if (is_there) old.insert(move.shown);
    return true;
  }
  return fs::is_taken(move.from) && ::unlink(move.to.c_str()) == 0;
}

// Tell whether the file is reached through a link below the folder, and did not change behind that time.
bool is_old_behind_link(const AsidePlace& place, const std::string& file, std::int64_t then) {
  std::error_code error;
  const fs::Path path = path_at(place, file);
  const fs::Path real = std::filesystem::canonical(path, error);
  if (error || real == (std::filesystem::canonical(place.folder, error) / file).lexically_normal())
    return false;
  struct stat info {};
  return ::stat(real.c_str(), &info) == 0 && change_time(info) <= then;
}

Status settle_one(const fs::Path& path, const AsideJournal& journal, std::set<std::string>& old) {
  for (const Renaming& move : journal.moves)
    if (!put_back(move, old)) return aside_failure(move.to, "call it " + move.from + " again");
  for (const auto& [file, mark] : journal.marks)
    if (mark_of_file(file) == mark) old.insert(file);
  for (const AsidePlace& place : journal.places)
    for (const std::string& file : files_at(place))
      if (is_old_behind_link(place, file, journal.done.value_or(0))) old.insert(path_at(place, file));
  for (const std::string& other : journal.others) {
    GATE_TRY(const std::vector<std::string> more, settle(other));
    old.insert(more.begin(), more.end());
  }
  ::unlink(path.c_str());
  hold(path.string(), -1);
  return {};
}

// In another container its files have other paths.
bool are_folders_here(const AsideJournal& journal) {
  return std::ranges::all_of(
      journal.moves, [](const Renaming& move) { return fs::is_folder(fs::Path(move.from).parent_path()); });
}

bool is_locked(const fs::Path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct flock lock = whole(F_WRLCK);
  const bool locked = file >= 0 && ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  if (file >= 0) ::close(file);
  return locked;
}

}  // namespace

Status set_outputs_aside(const Asides& asides) {
  if (asides.journal.empty()) return {};
  if (fs::is_taken(asides.journal)) return wait_for_other(asides.journal);
  const Intent intent = intent_of(asides);
  GATE_TRY(const std::optional<int> file, make_journal(asides.journal, intent));
  if (!file) return wait_for_other(asides.journal);
  hold(asides.journal, *file);
  std::vector<std::string> rest;
  for (const Renaming& move : intent.moves)
    if (!rename_free(move.from, move.to)) append_mark(rest, move.shown);
  rest.insert(rest.end(), {"done", std::to_string(end_of_tick(*file))});
  return append(*file, rest) ? Status() : aside_failure(asides.journal, "write what is set aside");
}

Result<std::vector<std::string>> settle(const fs::Path& journal) {
  std::set<std::string> old;
  if (const auto found = read_journal(journal)) GATE_TRY_STATUS(settle_one(journal, *found, old));
  return std::vector<std::string>(old.begin(), old.end());
}

const std::string& owner_of_asides() {
  static const std::string owner = [] {
    std::array<char, HOST_NAME_MAX + 1> host{};
    ::gethostname(host.data(), HOST_NAME_MAX);
    return std::string(host.data()) + "." + std::to_string(::getpid());
  }();
  return owner;
}

std::vector<std::string> settle_left(const fs::Path& folder, const std::string& owner) {
  std::vector<std::string> problems;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (!entry.path().filename().string().starts_with(journal_start)) continue;
    const std::optional<AsideJournal> journal = read_journal(entry.path());
    const bool is_left = journal && (owner.empty() ? !is_locked(entry.path()) && are_folders_here(*journal)
                                                   : journal->owner == owner);
    if (!is_left) continue;
    std::set<std::string> old;
    if (const Status settled = settle_one(entry.path(), *journal, old); !settled)
      problems.push_back(settled.error().message);
  }
  return problems;
}

std::string journal_name(const std::string& launch) {
  return std::string(journal_start) + fs::sha256(launch).substr(0, digits);
}

bool is_set_aside(std::string_view path) {
  if (path.size() < aside_mark.size() + digits) return false;
  const std::string_view end = path.substr(path.size() - digits);
  return path.substr(0, path.size() - digits).ends_with(aside_mark) &&
         end.find_first_not_of(hexadecimal) == std::string_view::npos;
}

}  // namespace gate
