#include <cerrno>
#include <cstring>
#include <utility>

#include "gate/store/run_folder.h"

namespace gate::store {

Result<LogFile> LogFile::create(const fs::Path& path) {
  if (path.has_parent_path())
    if (Status status = fs::make_folder(path.parent_path()); !status) return tl::unexpected(status.error());
  LogFile log;
  log.name_ = path.string();
  log.file_.reset(std::fopen(path.c_str(), "wbe"));
  if (log.file_ == nullptr) return fail(log.name_ + ": cannot create: " + std::strerror(errno));
  std::setvbuf(log.file_.get(), nullptr, _IONBF, 0);
  return log;
}

Status LogFile::append(std::string_view bytes) {
  while (!bytes.empty() && file_ != nullptr) {
    bytes.remove_prefix(std::fwrite(bytes.data(), 1, bytes.size(), file_.get()));
    if (bytes.empty()) break;
    if (errno != EINTR) return give_up();
    std::clearerr(file_.get());
  }
  return {};
}

Status LogFile::give_up() {
  const int error = errno;
  file_.reset();
  return fail(name_ + ": cannot write: " + std::strerror(error) + "; the log ends there");
}

Status LogFile::close() {
  std::FILE* file = file_.release();
  if (file == nullptr || std::fclose(file) == 0) return {};
  return fail(name_ + ": cannot write: " + std::strerror(errno) + "; the log may end early");
}

}  // namespace gate::store
