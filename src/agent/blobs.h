// Contents of files that gate has sent, kept for its next runs, each under its SHA-256.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate::agent {

class Blobs {
 public:
  // What is not whole yet has the name of its session behind its own.
  Blobs(fs::Path folder, std::string session) : folder_(std::move(folder)), session_(std::move(session)) {}

  // Take a piece of a content; the last one makes it whole. What is whole already is left as it is, so a
  // piece may come twice. Fails where the whole is not what the hash says, and where it cannot be written.
  Status put(const std::string& hash, std::int64_t offset, bool is_last, std::string_view bytes) const;

  // Return the content, and note that it was used; nothing where it is not there, or is damaged: it is gone
  // then.
  std::optional<std::string> get(const std::string& hash) const;

 private:
  fs::Path file_of(const std::string& hash) const { return folder_ / hash; }
  fs::Path piece_of(const std::string& hash) const { return folder_ / (hash + "." + session_); }
  Status write(const std::string& hash, std::int64_t offset, std::string_view bytes) const;
  Status finish(const std::string& hash) const;

  fs::Path folder_;
  std::string session_;
};

}  // namespace gate::agent
