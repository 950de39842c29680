#include "gate/store/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace gate::store {

namespace {
constexpr std::size_t most_waiting = std::size_t{256} << 20;
constexpr std::size_t enough_at_once = std::size_t{64} << 10;
constexpr std::chrono::milliseconds gathering{50};  // a write for each line would cost more than the line
}  // namespace

class LogFile::Writer {
 public:
  Writer(std::string name, int fd) : name_(std::move(name)), fd_(fd), thread_([this] { write_all(); }) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { finish(); }

  void append(std::string_view bytes) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return waiting_.size() < most_waiting; });
    if (error_ != 0) return;
    const std::size_t before = waiting_.size();
    waiting_.append(bytes);
    const bool is_time = before == 0 || (before < enough_at_once && waiting_.size() >= enough_at_once);
    lock.unlock();
    if (is_time) work_.notify_one();
  }

  Status status() const {
    const std::lock_guard lock(mutex_);
    if (error_ == 0) return {};
    return fail(name_ + ": cannot write: " + std::strerror(error_) + "; the log ends after " +
                std::to_string(written_) + " bytes");
  }

  void finish() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    work_.notify_one();
    thread_.join();
    if (::close(fd_) != 0 && error_ == 0) error_ = errno;
  }

 private:
  void write_all() {
    std::string block;
    while (take(block)) {
      const int error = write(block);
      if (error == 0) continue;
      const std::lock_guard lock(mutex_);
      error_ = error;
      waiting_.clear();
      room_.notify_all();
    }
  }

  // Wait for bytes and move them into the block. Returns false where no more will come.
  bool take(std::string& block) {
    block.clear();
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    work_.wait_for(lock, gathering, [&] { return closing_ || waiting_.size() >= enough_at_once; });
    std::swap(block, waiting_);
    lock.unlock();
    room_.notify_all();
    return !block.empty();
  }

  // Return 0 or an errno.
  int write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(count));
      const std::lock_guard lock(mutex_);
      written_ += count;
    }
    return 0;
  }

  const std::string name_;
  const int fd_;
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::string waiting_;
  std::int64_t written_ = 0;
  int error_ = 0;
  bool closing_ = false;
  std::thread thread_;
};

Result<LogFile> LogFile::create(const fs::Path& path) {
  if (path.has_parent_path()) {
    GATE_TRY_STATUS(fs::make_folder(path.parent_path()));
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return fail(path.string() + ": cannot create: " + std::strerror(errno));
  try {
    return LogFile(std::make_unique<Writer>(path.string(), fd));
  } catch (const std::system_error& error) {
    ::close(fd);
    return fail(path.string() + ": cannot write: no thread is to be had: " + error.code().message());
  }
}

LogFile::LogFile(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {}
LogFile::LogFile(LogFile&&) noexcept = default;
LogFile& LogFile::operator=(LogFile&&) noexcept = default;
LogFile::~LogFile() = default;

void LogFile::append(std::string_view bytes) {
  if (!bytes.empty()) writer_->append(bytes);
}

Status LogFile::status() const { return writer_->status(); }

Status LogFile::close() {
  writer_->finish();
  return status();
}

}  // namespace gate::store
