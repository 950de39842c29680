#include "gate/base/fs.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "gate/base/sha256.h"
#include "gate/base/text.h"
#include "gate/base/unfinished.h"
#include "gate/base/variables.h"

namespace gate::fs {

namespace {

Error system_error(const Path& path, const char* what, int error) {
  return {path.string() + ": cannot " + what + ": " + std::strerror(error)};
}

constexpr std::size_t most_links = 40;  // as the kernel

// Return the path, what it leads to, what that leads to ...; more than most_links where they never end.
std::vector<Path> way_of_links(const Path& path) {
  std::vector<Path> way{path};
  std::error_code error;
  while (way.size() <= most_links && std::filesystem::is_symlink(way.back(), error)) {
    const Path next = std::filesystem::read_symlink(way.back(), error);
    if (error) break;
    way.push_back(next.is_absolute() ? next : way.back().parent_path() / next);
  }
  return way;
}

Path folder_of(const Path& path) {
  std::error_code unknown;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown).parent_path(), unknown);
}

// Such a link is somebody's open file: /dev/stdout.
bool leads_through_proc(const Path& path) {
  return std::ranges::any_of(way_of_links(path),
                             [](const Path& one) { return folder_of(one).native().starts_with("/proc/"); });
}

// Return the descriptor of this process that the path stands for; nothing where it is none.
std::optional<int> own_descriptor(const Path& path) {
  const Path own = folder_of("/proc/self/fd/0");
  for (const Path& one : way_of_links(path))
    if (folder_of(one) == own) return static_cast<int>(parse_integer(one.filename().string()).value_or(-1));
  return std::nullopt;
}

// What this process opened itself is closed where another program is executed.
bool is_inherited(int fd) {
  const int flags = ::fcntl(fd, F_GETFD);
  return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Status write_all(const Path& path, int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return tl::unexpected(system_error(path, "write", errno));
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// A disk behind a network says only here that it had no room.
Status close_written(const Path& path, int fd) {
  if (::close(fd) == 0 || errno == EINTR) return {};
  return tl::unexpected(system_error(path, "write", errno));
}

Status write_new(const Path& path, int fd, std::string_view content, Survives what) {
  Status written = write_all(path, fd, content);
  if (written && what == Survives::power_loss && ::fsync(fd) != 0 && errno != EINVAL)
    written = tl::unexpected(system_error(path, "write", errno));
  const Status closed = close_written(path, fd);
  return written ? closed : written;
}

// A pipe without a reader fails at once; one that is read slowly is waited for. What else is written to an
// open file of this process goes behind it.
Status write_into(const Path& path, std::string_view content) {
  if (const auto own = own_descriptor(path)) return write_all(path, *own, content);
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (file.get() < 0) return tl::unexpected(system_error(path, "write", errno));
  ::fcntl(file.get(), F_SETFL, O_APPEND);
  return write_all(path, file.get(), content);
}

// Return a path for what is going to be renamed to the one given, which `make` could create; -1 and errno say
// that it could not.
Result<Path> make_beside(const Path& path, const std::function<int(const Path&)>& make) {
  for (;;) {
    Path fresh = unfinished_beside(path);
    if (make(fresh) >= 0) return fresh;
    if (errno != EEXIST) return tl::unexpected(system_error(fresh, "create", errno));
  }
}

Status rename_over(const Path& from, const Path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  const Error error = system_error(to, "replace", errno);
  ::unlink(from.c_str());
  return tl::unexpected(error);
}

// Return how large a regular file is; 0 of anything else, and of files that the kernel makes up.
std::size_t known_size(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 0;
}

// A block holds a byte more than a small file, so that its end is seen at once.
Status read_all(const Path& path, int fd, const std::function<void(std::string_view)>& take) {
  constexpr std::size_t most = 256 * 1024;
  const std::size_t size = known_size(fd);
  std::array<char, 4096> small;  // most files are
  std::string large;
  std::span<char> block = small;
  if (size == 0 || size >= small.size()) {
    large.resize(size == 0 ? most : std::min(size + 1, most));
    block = large;
  }
  for (std::size_t total = 0;;) {
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EISDIR) return fail(path.string() + ": is a directory; name a file");
    if (count < 0) return tl::unexpected(system_error(path, "read", errno));
    if (count == 0) return {};
    const auto length = static_cast<std::size_t>(count);
    take({block.data(), length});
    total += length;
    if (length < block.size() && size > 0 && total >= size) return {};
  }
}

// A pipe without a name is no place in a folder.
bool is_named_pipe(int file, const struct stat& info) {
  if (!S_ISFIFO(info.st_mode)) return false;
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), error).has_root_path();
}

// Of the devices of memory only the one that is empty has an end.
bool is_endless(const struct stat& info) {
  constexpr unsigned memory = 1, null = 3;
  return S_ISCHR(info.st_mode) && major(info.st_rdev) == memory && minor(info.st_rdev) != null;
}

}  // namespace

Result<Fd> open_to_read(const Path& path) {
  Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return tl::unexpected(system_error(path, "read", errno));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) info = {};
  if (is_named_pipe(file.get(), info))
    return fail(path.string() + ": is a named pipe, to which nobody may ever write; name a file");
  if (is_endless(info)) return fail(path.string() + ": is a device that has no end; name a file");
  ::fcntl(file.get(), F_SETFL, 0);
  return file;
}

Status read_blocks(const Path& path, const std::function<void(std::string_view)>& take) {
  if (path == "-") return read_all(path, STDIN_FILENO, take);
  GATE_TRY(const Fd file, open_to_read(path));
  return read_all(path, file.get(), take);
}

Result<std::string> read_from(const Path& path, std::uintmax_t from) {
  GATE_TRY(const Fd file, open_to_read(path));
  if (::lseek(file.get(), static_cast<off_t>(from), SEEK_SET) < 0)
    return tl::unexpected(system_error(path, "read", errno));
  std::string content;
  GATE_TRY_STATUS(read_all(path, file.get(), [&](std::string_view block) { content += block; }));
  return content;
}

Result<std::string> read_file(const Path& path) {
  std::string content;
  GATE_TRY_STATUS(read_blocks(path, [&](std::string_view block) { content += block; }));
  return content;
}

Result<std::string> read_regular(const Path& path, std::size_t most) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return fail(path.string() + ": " + std::generic_category().message(errno));
  struct stat facts {};
  const bool is_regular = ::fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode);
  std::string content(is_regular ? std::min<std::size_t>(facts.st_size, most + 1) : 0, '\0');
  std::size_t count = 0;
  while (count < content.size()) {
    const ssize_t got = ::read(file.get(), content.data() + count, content.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(system_error(path, "read", errno));
    if (got == 0) break;
    count += static_cast<std::size_t>(got);
  }
  content.resize(count);
  if (!is_regular) return fail(path.string() + ": is no regular file");
  if (content.size() > most)
    return fail(path.string() + ": has more than " + std::to_string(most) + " bytes");
  return content;
}

Status check_folder(const Path& path) {
  std::error_code error;
  const std::filesystem::directory_iterator files(path, error);
  if (error) return fail(path.string() + ": cannot list the folder: " + error.message());
  return {};
}

Status write_file(const Path& path, std::string_view content, Survives what) {
  if (path.has_parent_path()) {
    GATE_TRY_STATUS(make_folder(path.parent_path()));
  }
  int fd = -1;
  GATE_TRY(const Path fresh, make_beside(path, [&](const Path& one) {
             return fd = ::open(one.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
           }));
  struct stat old {};
  if (::stat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode)) ::fchmod(fd, old.st_mode & 07777);
  if (Status status = write_new(fresh, fd, content, what); !status) {
    ::unlink(fresh.c_str());
    return status;
  }
  return rename_over(fresh, path);
}

Result<Path> end_of_links(const Path& path) {
  const std::vector<Path> way = way_of_links(path);
  if (way.size() > most_links) return tl::unexpected(system_error(path, "follow the link", ELOOP));
  return way.back();
}

Status check_output(const Path& path) {
  if (const auto own = own_descriptor(path))
    return is_inherited(*own) ? Status() : fail(path.string() + ": no such file is open; name one that is");
  const Result<Path> target = end_of_links(path);
  const Path folder = target ? target->parent_path() : path.parent_path();
  if (is_folder(path)) return fail(path.string() + ": is a directory; name a file");
  if (!folder.empty() && !is_folder(folder))
    return fail(path.string() + ": there is no folder " + folder.string() + "; make it, or name another");
  return {};
}

bool is_replaceable(const Path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const bool is_other = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  return !is_other && !leads_through_proc(path);
}

Status write_output(const Path& path, std::string_view content) {
  GATE_TRY_STATUS(check_output(path));
  if (!is_replaceable(path)) return write_into(path, content);
  GATE_TRY(const Path target, end_of_links(path));
  return write_file(target, content);
}

Status append_file(const Path& path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
  if (file < 0) return tl::unexpected(system_error(path, "write", errno));
  const Status written = write_all(path, file, content), closed = close_written(path, file);
  return written ? closed : written;
}

Status make_folder(const Path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return fail(path.string() + ": cannot create the folder: " + error.message());
  return {};
}

Result<Path> make_unique_folder(const Path& start) {
  constexpr mode_t for_its_user = 0700;
  for (;;) {
    Path path = unfinished_from(start);
    if (::mkdir(path.c_str(), for_its_user) == 0) return path;
    if (errno != EEXIST) return fail(path.string() + ": cannot create the folder: " + std::strerror(errno));
  }
}

Status remove_file(const Path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return tl::unexpected(system_error(path, "remove", errno));
  return {};
}

// Not every file system (NFS) renames so, and not every one (FAT) has links.
Result<bool> move_to_free(const Path& from, const Path& to) {
  constexpr unsigned no_replace = 1;  // RENAME_NOREPLACE, of no header of musl
  if (::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), no_replace) == 0) return true;
  if (errno == EEXIST) return false;
  if (::link(from.c_str(), to.c_str()) == 0) return remove_file(from).map([] { return true; });
  if (errno == EEXIST) return false;
  return tl::unexpected(system_error(to, "create", errno));
}

Status replace_link(const Path& link, const Path& target) {
  const Result<Path> fresh =
      make_beside(link, [&](const Path& one) { return ::symlink(target.c_str(), one.c_str()); });
  return fresh ? rename_over(*fresh, link) : tl::unexpected(fresh.error());
}

std::uintmax_t size_of(const Path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

bool exists(const Path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

Path whole_path(const Path& path) {
  std::error_code unknown;
  const Path absolute = std::filesystem::absolute(path, unknown);
  Path whole = std::filesystem::weakly_canonical(absolute, unknown);
  return unknown ? absolute.lexically_normal() : whole;
}

bool is_within(const Path& path, const Path& folder) {
  return (whole_path(path) / "").native().starts_with((whole_path(folder) / "").native());
}

bool is_folder(const Path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

Path find_program(std::string_view name) {
  const std::string path = variable_if_set("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (const std::string_view folder : split(path, ':')) {
    const Path file = Path(folder) / name;
    std::error_code error;
    if (file.is_absolute() && std::filesystem::is_regular_file(file, error) &&
        ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

std::string name_of(const Path& folder) {
  return (std::filesystem::absolute(folder) / "").lexically_normal().parent_path().filename().string();
}

bool is_missing(const Path& path) {
  std::error_code error;
  return std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found;
}

bool is_taken(const Path& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

std::string sha256(std::string_view content) {
  Sha256 sum;
  sum.add(content);
  return sum.hex();
}

Result<std::string> sha256_of(const Path& path) {
  Sha256 sum;
  GATE_TRY_STATUS(read_blocks(path, [&](std::string_view block) { sum.add(block); }));
  return sum.hex();
}

}  // namespace gate::fs
