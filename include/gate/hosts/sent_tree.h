// A tree of files as it is sent to a host that has no file system in common with this one: each file by its
// path and the hash of its content. The host keeps contents, and is sent those that it lacks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/hosts/frame.h"

namespace gate::hosts {

enum class EntryKind { file, program, link };  // a program may be executed

struct TreeEntry {
  std::string path;  // below the tree's root, see is_plain_path()
  EntryKind kind = EntryKind::file;
  std::string content;  // its SHA-256; of a symbolic link: where it leads, which may be anywhere
  bool operator==(const TreeEntry&) const = default;
};

struct Tree {
  fs::Path root;  // here
  std::vector<TreeEntry> entries;
};

// Tell whether the path names something below a folder, in the only way there is: no slash at either end, no
// part that is empty, `.` or `..`, no NUL.
bool is_plain_path(std::string_view path);

// Tell whether the text is what fs::sha256() returns.
bool is_sha256(std::string_view text);

void add(Frame& message, const TreeEntry& entry);

// Return the entries that are left of the message. Fails where its words are malformed, or one is no path
// below the root, no hash, or a link to nowhere.
Result<std::vector<TreeEntry>> read_entries(WordReader& words);

}  // namespace gate::hosts
