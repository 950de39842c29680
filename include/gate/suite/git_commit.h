// What `git` tells of the repository that a folder lies in, and of a commit of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/model/runs/tool_answer.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Return the command that runs git in the folder's repository, without its hooks; what variables of a hook
// say of another repository counts for nothing.
std::vector<std::string> git_words(const fs::Path& folder, const std::vector<std::string>& words);

// Ask git. With an input the file is its standard input.
ToolAnswer ask_git(const fs::Path& folder, const std::vector<std::string>& words, const fs::Path& input = {});

// Return why git gave no answer that can be used.
std::string git_failure(const ToolAnswer& answer);

// A name of a commit, and what the commit holds. Paths are as they are seen from the folder, also those of
// files that lie beside it: `scripts/a.sh`, `../common/b.json`.
class GitCommit {
 public:
  enum class Kind { file, link, submodule };
  struct Entry {
    Kind kind = Kind::file;
    std::string object;
  };

  // Return the commit that the reference names. Fails, with what to do, where the repository has none: a
  // shallow clone.
  static Answer<GitCommit> find(const fs::Path& folder, const std::string& reference);

  const std::string& reference() const { return reference_; }  // as it was written
  const std::string& id() const { return id_; }

  // Return the path as it is seen from the top of the repository; nothing where it leads out of it.
  std::optional<std::string> path_in_tree(const std::string& path) const;

  // Return everything that the commit holds, by the paths that path_in_tree() gives.
  Answer<std::map<std::string, Entry>> entries() const;

  // Return the contents of those of the paths that the commit holds. Fails for one that is a symbolic link, a
  // pointer of Git LFS or in a submodule: what it means is not in the commit.
  Answer<std::map<std::string, std::string>> read(const std::vector<std::string>& paths) const;

  // Return the paths, from the top of the repository, of files that the work tree has otherwise than the
  // commit, those that git does not track among them.
  Answer<std::set<std::string>> changed() const;

 private:
  GitCommit(fs::Path folder, std::string reference)
      : folder_(std::move(folder)), reference_(std::move(reference)) {}
  Answer<std::string> output_of(const std::vector<std::string>& words, const fs::Path& input = {}) const;

  fs::Path folder_;
  std::string reference_, id_;
  std::string prefix_;  // of the folder, from the top: `tests/st/`, or ""
};

}  // namespace gate::app
