#include "agent/blobs.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "agent/held_file.h"
#include "gate/hosts/tree.h"

namespace gate::agent {

Status Blobs::put(const std::string& hash, std::int64_t offset, bool is_last, std::string_view bytes) const {
  if (!hosts::is_sha256(hash) || offset < 0) return fail("no content has that name");
  if (fs::exists(file_of(hash))) return fs::remove_file(piece_of(hash));
  GATE_TRY_STATUS(write(hash, offset, bytes));
  return is_last ? finish(hash) : Status();
}

Status Blobs::write(const std::string& hash, std::int64_t offset, std::string_view bytes) const {
  ::mkdir(folder_.c_str(), S_IRWXU);
  const fs::Path piece = piece_of(hash);
  const HeldFile file(::open(piece.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
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

}  // namespace gate::agent
