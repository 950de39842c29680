#include "agent/agent_tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <ctime>

#include "gate/base/text.h"

namespace gate::agent {

namespace {

using hosts::EntryKind;
using hosts::TreeEntry;

constexpr mode_t for_all = 0777, but_executed = 0666;  // the umask takes away from it
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What was sent is older than whatever a script writes.
bool make_older(const Fd& file) {
  constexpr time_t minute = 60;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= minute;
  const std::array<timespec, 2> times{now, now};
  return ::futimens(file.get(), times.data()) == 0;
}

}  // namespace

Status Blobs::put(const std::string& hash, std::int64_t offset, bool is_last, std::string_view bytes) const {
  if (!hosts::is_sha256(hash) || offset < 0) return fail("no content has that name");
  if (fs::exists(file_of(hash))) return fs::remove_file(piece_of(hash));
  GATE_TRY_STATUS(write(hash, offset, bytes));
  return is_last ? finish(hash) : Status();
}

Status Blobs::write(const std::string& hash, std::int64_t offset, std::string_view bytes) const {
  ::mkdir(folder_.c_str(), S_IRWXU);
  const fs::Path piece = piece_of(hash);
  const Fd file(::open(piece.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!file || !write_all(file, bytes, offset)) return system_failure(folder_.string(), "keep what is sent");
  return {};
}

Status Blobs::finish(const std::string& hash) const {
  const fs::Path piece = piece_of(hash);
  GATE_TRY(const std::string content, fs::read_file(piece));
  if (fs::sha256(content) != hash) {
    GATE_TRY_STATUS(fs::remove_file(piece));
    return fail("it was changed while it was sent; run again");
  }
  if (::rename(piece.c_str(), file_of(hash).c_str()) != 0)
    return system_failure(folder_.string(), "keep what is sent");
  return {};
}

std::optional<std::string> Blobs::get(const std::string& hash) const {
  const fs::Path file = file_of(hash);
  Result<std::string> content = fs::read_file(file);
  if (!content) return std::nullopt;
  if (fs::sha256(*content) != hash) {
    ::unlink(file.c_str());
    return std::nullopt;
  }
  ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
  return std::move(*content);
}

Result<std::vector<std::string>> SessionTree::plant(const std::vector<TreeEntry>& entries) const {
  GATE_TRY_STATUS(fs::make_folder(root_));
  std::vector<std::string> missing;
  for (const TreeEntry& entry : entries) {
    GATE_TRY(const bool is_there, put(entry));
    if (!is_there) missing.push_back(entry.content);
  }
  return missing;
}

// Returns false where its content is not kept here.
Result<bool> SessionTree::put(const TreeEntry& entry) const {
  std::optional<std::string> content;
  if (entry.kind != EntryKind::link && !(content = blobs_.get(entry.content))) return false;
  GATE_TRY(const Fd folder, enter(folder_of(entry.path)));
  const std::string name = name_of(entry.path);
  if (::unlinkat(folder.get(), name.c_str(), 0) != 0 && errno != ENOENT)
    return system_failure(entry.path, "be put into the tree");
  GATE_TRY_STATUS(content ? put_file(folder, name, entry, *content) : put_link(folder, name, entry));
  return true;
}

Status SessionTree::put_link(const Fd& folder, const std::string& name, const TreeEntry& entry) const {
  if (::symlinkat(entry.content.c_str(), folder.get(), name.c_str()) != 0)
    return system_failure(entry.path, "be put into the tree");
  return {};
}

Status SessionTree::put_file(const Fd& folder, const std::string& name, const TreeEntry& entry,
                             const std::string& content) const {
  const mode_t mode = entry.kind == EntryKind::program ? for_all : but_executed;
  const Fd file(
      ::openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file || !write_all(file, content, 0) || !make_older(file))
    return system_failure(entry.path, "be put into the tree");
  return {};
}

// Opens a folder below the root, and makes it and those above it where they are missing.
Result<Fd> SessionTree::enter(const std::string& folder) const {
  Fd at(::open(root_.c_str(), folder_flags));
  if (!at) return system_failure(root_.string(), "enter it");
  if (folder.empty()) return at;
  for (const std::string_view part : split(folder, '/')) {
    const std::string name(part);
    ::mkdirat(at.get(), name.c_str(), for_all);
    Fd next(::openat(at.get(), name.c_str(), folder_flags));
    if (!next && (errno == ENOTDIR || errno == ELOOP))
      return fail(folder + ": a link or a file is where a folder of that name should be");
    if (!next) return system_failure(folder, "make the folder");
    at = std::move(next);
  }
  return at;
}

Result<std::string> SessionTree::below_root(const fs::Path& path) const {
  const std::string root = root_.string() + "/", whole = path.string();
  const std::string below = whole.starts_with(root) ? whole.substr(root.size()) : "";
  if (!hosts::is_plain_path(below))
    return fail(printable(whole, 200) + " does not lie in the session's tree");
  return below;
}

// The time is its own, for it is made anew or touched.
Result<std::int64_t> SessionTree::make_folder(const fs::Path& path) const {
  GATE_TRY(const std::string below, below_root(path));
  GATE_TRY_STATUS(fs::make_folder(root_));
  GATE_TRY(const Fd folder, enter(below));
  struct stat info {};
  if (::futimens(folder.get(), nullptr) != 0 || ::fstat(folder.get(), &info) != 0)
    return system_failure(path.string(), "make the folder");
  return info.st_mtim.tv_sec * std::int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
}

Status SessionTree::remove(const fs::Path& path) const {
  GATE_TRY(const std::string below, below_root(path));
  GATE_TRY(const Fd folder, enter(folder_of(below)));
  std::error_code error;
  std::filesystem::remove_all(fs::Path(path_of(folder)) / name_of(below), error);
  if (error) return fail(path.string() + ": cannot be removed: " + error.message());
  return {};
}

}  // namespace gate::agent
