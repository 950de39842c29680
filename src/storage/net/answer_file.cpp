#include "net/answer_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace gate::net {

namespace {

constexpr int whole = 200, part = 206;
constexpr mode_t as_the_umask_says = 0666;

bool is_own_file(int descriptor) {
  struct stat facts {};
  return ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
         facts.st_nlink == 1;
}

}  // namespace

AnswerFile::AnswerFile(const AnswerTarget& target) : target_(target) {
  if (target_.file.empty()) return;
  const auto from = static_cast<off_t>(target_.from);
  file_ = Fd(::open(target_.file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, as_the_umask_says));
  if (file_ && !is_own_file(file_.get())) {
    problem_ = target_.file.string() + ": is no regular file of this user; remove it";
    return;
  }
  if (file_ && ::ftruncate(file_.get(), from) == 0 && ::lseek(file_.get(), from, SEEK_SET) == from) return;
  problem_ = target_.file.string() + ": " + std::generic_category().message(errno);
}

bool AnswerFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::uintmax_t AnswerFile::size() const {
  struct stat facts {};
  return ::fstat(file_.get(), &facts) == 0 ? static_cast<std::uintmax_t>(facts.st_size) : 0;
}

bool AnswerFile::has_too_much(const AnswerHead& head, std::size_t most) const {
  return file_ && size() > (takes(head) ? target_.most : target_.from + most);
}

bool AnswerFile::takes(const AnswerHead& head) const {
  if (head.status != part && (head.status != whole || target_.from > 0)) return false;
  return !target_.fits || target_.fits({head.status, "", head.headers});
}

void AnswerFile::settle(Response& response, std::size_t most) const {
  if (!file_ || takes({response.status, {}, response.headers})) return;
  const auto from = static_cast<off_t>(target_.from);
  response.body.resize(std::min<std::uintmax_t>(most, size() - std::min(size(), target_.from)));
  const ssize_t count = ::pread(file_.get(), response.body.data(), response.body.size(), from);
  response.body.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  drop();
}

void AnswerFile::settle_cut(const AnswerHead& head) const {
  if (file_ && !takes(head)) drop();
}

void AnswerFile::drop() const {
  if (::ftruncate(file_.get(), static_cast<off_t>(target_.from)) != 0) return;  // it is checked by its digest
}

}  // namespace gate::net
