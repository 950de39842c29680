// Files of a host that has none in common with the one that gate runs on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gate/base/cut.h"
#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/tail.h"
#include "gate/hosts/link.h"
#include "gate/hosts/sent_tree.h"

namespace gate::hosts {

struct FarFile {
  std::string path;  // below the folder that was asked for
  FileState state;
};

// Used by several threads at once. Each function fails with a sentence that says what is wrong there, or that
// the host is lost; while the connection is being made again it waits, as long as the cut lets it.
class FarFiles {
 public:
  virtual ~FarFiles() = default;

  // Return the regular files below the folder, links to such included, that one of the globs matches, each
  // path once. Fails where there are more of them than can be followed.
  virtual Result<std::vector<FarFile>> find(const fs::Path& folder, const std::vector<std::string>& globs,
                                            const Cut& cut) = 0;

  // Return the bytes of the file from there on, at most a file_block: less than was asked for only where it
  // ends.
  // Fails where another file stands under the name.
  virtual Result<std::string> read(const fs::Path& path, const FileIdentity& file, std::uintmax_t from,
                                   std::size_t count, const Cut& cut) = 0;

  // Return how much to ask for at once, so that it comes soon, and how much comes in a second, as far as that
  // was seen: `25 kB/s`, or "".
  virtual std::size_t block() const { return file_block; }
  virtual std::string speed() const { return ""; }

  // Make a folder of the session's tree, and those above it. Returns when, by the clock of its file system,
  // in nanoseconds since 1970.
  virtual Result<std::int64_t> make_folder(const fs::Path& path, const Cut& cut) = 0;

  // Settle the journal of that name there, as gate::settle() does.
  virtual Result<std::vector<std::string>> settle(const std::string& journal, const Cut& cut) = 0;

  // Remove a folder of the session's tree with all that is in it.
  virtual Status remove_folder(const fs::Path& path, const Cut& cut) = 0;
};

// Return the files of the host. The link must outlive them.
std::unique_ptr<FarFiles> files_of(Link& link);

// Of a tree, what the host lacks.
struct MissingContents {
  std::size_t files = 0;  // each content once
  std::uintmax_t bytes = 0;
};

// Return the root of the session's tree there.
fs::Path tree_root(const Link& link);

// Make the session's tree there of these files: each a copy of its own. `on_missing` hears what will be sent,
// before, where anything is. Fails with a sentence, too, once the cut is over, and where a file changes
// meanwhile.
Status send_tree(Link& link, const Tree& tree, const std::function<void(const MissingContents&)>& on_missing,
                 const Cut& cut);

}  // namespace gate::hosts
