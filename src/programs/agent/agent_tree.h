// The tree of a session: the files that gate has sent for it, and what scripts make beside them.
//
// Names come from elsewhere. Nothing is written outside of the tree, whichever links are in it: on the way to
// what is made or removed no link is followed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/held_file.h"
#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/hosts/sent_tree.h"

namespace gate::agent {

// Contents of files that gate has sent, kept for its next runs, each under its SHA-256.
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

class SessionTree {
 public:
  SessionTree(fs::Path root, Blobs blobs) : root_(std::move(root)), blobs_(std::move(blobs)) {}

  // Put these files into the tree, in place of what stands there; each looks a minute old. Returns the
  // hashes of contents that are not kept here: their files are left out.
  Result<std::vector<std::string>> plant(const std::vector<hosts::TreeEntry>& entries) const;

  // Make a folder below the root. Returns when, by the clock of its file system, in nanoseconds since 1970.
  Result<std::int64_t> make_folder(const fs::Path& path) const;

  // Remove a folder below the root with all that is in it; one that is not there is gone.
  Status remove(const fs::Path& path) const;

 private:
  Result<std::string> below_root(const fs::Path& path) const;
  Result<Fd> enter(const std::string& folder) const;
  Result<bool> put(const hosts::TreeEntry& entry) const;
  Status put_link(const Fd& folder, const std::string& name, const hosts::TreeEntry& entry) const;
  Status put_file(const Fd& folder, const std::string& name, const hosts::TreeEntry& entry,
                  const std::string& content) const;

  fs::Path root_;
  Blobs blobs_;
};

}  // namespace gate::agent
