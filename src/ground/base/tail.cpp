#include "gate/base/tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gate {

namespace {

constexpr std::size_t tail_block = std::size_t{256} << 10;
constexpr std::size_t print_size = 4096;  // of a file's fingerprint, at each end

tl::unexpected<Error> cannot(const fs::Path& path, const char* what) {
  return fail(path.string() + ": cannot " + what + ": " + std::strerror(errno));
}

std::int64_t nanoseconds(const struct statx_timestamp& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

}  // namespace

std::string bytes_at(const fs::Path& path, std::uintmax_t from, std::size_t count) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string bytes(count, '\0');
  const ssize_t read = file ? ::pread(file.get(), bytes.data(), count, static_cast<off_t>(from)) : 0;
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
  return bytes;
}

FileState state_of(const fs::Path& path) {
  struct statx info {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) return {};
  if (!S_ISREG(info.stx_mode)) return {};
  const auto born = (info.stx_mask & STATX_BTIME) != 0 ? nanoseconds(info.stx_btime) : 0;
  const auto device = makedev(info.stx_dev_major, info.stx_dev_minor);
  return {{device, info.stx_ino, born}, info.stx_size, nanoseconds(info.stx_mtime)};
}

FileMark mark_of(const fs::Path& path) {
  const FileState state = state_of(path);
  const auto count = static_cast<std::size_t>(std::min<std::uintmax_t>(state.size, print_size));
  return {state, bytes_at(path, 0, count), bytes_at(path, state.size - count, count)};
}

std::uintmax_t written_since(const FileMark& mark, const fs::Path& path) {
  const FileState now = state_of(path);
  if (now.identity == FileIdentity() || now.identity != mark.state.identity) return 0;
  if (now.size < mark.state.size) return 0;
  const bool same = bytes_at(path, 0, mark.head.size()) == mark.head &&
                    bytes_at(path, mark.state.size - mark.end.size(), mark.end.size()) == mark.end;
  return same ? mark.state.size : 0;
}

Tail::Tail(Tail&& other) noexcept
    : path_(std::move(other.path_)),
      start_(std::move(other.start_)),
      identity_(other.identity_),
      at_(other.at_),
      size_(other.size_),
      fd_(std::exchange(other.fd_, -1)),
      told_gone_(other.told_gone_) {}

Tail::~Tail() { close(); }

Status Tail::read(const Take& take, const std::function<void(Change)>& on_change) {
  const auto tell = [&](Change change) {
    if (on_change) on_change(change);
  };
  if (fd_ < 0)
    if (Status opened = open(); !opened || fd_ < 0) return opened;
  GATE_TRY_STATUS(read_open(take, tell));
  if (!is_another()) return {};
  if (!fs::exists(path_)) {
    if (!std::exchange(told_gone_, true)) tell(Change::gone);
    return {};
  }
  close();
  tell(Change::replaced);
  return read(take, on_change);
}

Status Tail::open() {
  fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd_ < 0) return errno == ENOENT ? Status() : cannot(path_, "read");
  told_gone_ = false;
  struct stat info {};
  if (::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode)) {
    identity_ = state_of(path_).identity;
    at_ = start_ ? start_(path_) : 0;
    size_ = 0;
    return {};
  }
  close();
  return fail(path_.string() + ": is no regular file; name a file");
}

Status Tail::read_open(const Take& take, const std::function<void(Change)>& on_change) {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return cannot(path_, "read");
  const auto size = static_cast<std::uintmax_t>(info.st_size);
  if (size < std::min(at_, size_)) {
    at_ = start_ ? start_(path_) : 0;
    on_change(Change::truncated);
  }
  size_ = size;
  std::string block(tail_block, '\0');
  for (;;) {
    const ssize_t count = ::pread(fd_, block.data(), block.size(), static_cast<off_t>(at_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot(path_, "read");
    if (count == 0) return {};
    at_ += static_cast<std::uintmax_t>(count);
    take(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
  }
}

// Tell whether the name leads to another file than the open one, or to none.
bool Tail::is_another() const {
  struct stat named {
  }, opened{};
  if (::fstat(fd_, &opened) != 0) return false;
  if (::stat(path_.c_str(), &named) != 0) return true;
  return named.st_dev != opened.st_dev || named.st_ino != opened.st_ino;
}

void Tail::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace gate
