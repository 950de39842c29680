#include "trainer/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace tinygpt {
namespace {

constexpr mode_t kReadAndWrite = 0666;  // less the umask

[[noreturn]] void fail_to(const char* deed, const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), std::string("cannot ") + deed + " " + path);
}

// The names in it would survive the loss of power. Where the file system does not know how, nothing is done.
void sync_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail_to("open", path, errno);
  const int error = fsync(folder) == 0 ? 0 : errno;
  close(folder);
  if (error != 0 && error != EINVAL) fail_to("write", path, error);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

File File::to_read(const std::string& path) { return {path, O_RDONLY, "read"}; }

File File::to_write(const std::string& path) { return {path, O_WRONLY | O_CREAT | O_TRUNC, "write"}; }

// A pipe of that name would keep who opens it waiting.
File::File(const std::string& path, int flags, const char* deed)
    : path_(path), deed_(deed), fd_(open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC, kReadAndWrite)) {
  if (fd_ < 0) fail();
  struct stat status {};
  if (fstat(fd_, &status) == 0 && S_ISREG(status.st_mode)) return;
  close(fd_);
  throw std::runtime_error(path + " is no regular file");
}

File::~File() { close(fd_); }

std::size_t File::size() const {
  struct stat status {};
  if (fstat(fd_, &status) != 0) fail();
  return static_cast<std::size_t>(status.st_size);
}

std::size_t File::read(std::span<std::byte> bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t n = ::read(fd_, bytes.data() + filled, bytes.size() - filled);
    if (n == 0) break;
    if (n < 0 && errno != EINTR) fail();
    if (n > 0) filled += static_cast<std::size_t>(n);
  }
  return filled;
}

void File::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) fail();
    if (n > 0) bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void File::sync() {
  while (fsync(fd_) != 0)
    if (errno != EINTR) fail();
}

void File::fail() const { fail_to(deed_, path_, errno); }

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

void make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw std::system_error(error, "cannot make the folder " + path);
}

void replace_file(const std::string& path, const std::function<void(File&)>& write) {
  const std::string part = path + ".part";
  try {
    File file = File::to_write(part);
    write(file);
    file.sync();
    if (std::rename(part.c_str(), path.c_str()) != 0) fail_to("write", path, errno);
  } catch (...) {
    unlink(part.c_str());
    throw;
  }
  sync_folder(folder_of(path));
}

}  // namespace tinygpt
