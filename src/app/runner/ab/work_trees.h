// Commits of a repository, each checked out in a git work tree of its own.
#pragma once

#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/places/environment.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct WorkTree {
  std::string rev;     // as it was given
  std::string commit;  // its whole hash
  fs::Path top;        // of the repository
  fs::Path root;       // where the suite lies in it
};

// The trees lie in a new folder below the suite's .gate, and are gone, for git too, with the value. What
// kills gate leaves them; once their folder is removed `git worktree prune` forgets them.
class WorkTrees {
 public:
  // Check out the revisions. Hooks of the repository do not run. Fails (2) where the suite lies in no
  // repository, and for what names no commit there; says so where the clone is shallow and may lack it.
  static Answer<WorkTrees> check_out(const Suite& suite, const std::vector<std::string>& revs,
                                     Environment& environment);

  const std::vector<WorkTree>& trees() const { return trees_; }

  WorkTrees(WorkTrees&& other) noexcept
      : repository_(std::move(other.repository_)),
        folder_(std::exchange(other.folder_, {})),
        trees_(std::exchange(other.trees_, {})) {}
  WorkTrees& operator=(WorkTrees&&) = delete;
  ~WorkTrees();

 private:
  WorkTrees(fs::Path repository, fs::Path folder)
      : repository_(std::move(repository)), folder_(std::move(folder)) {}
  Answer<void> add(const std::string& rev, const std::string& commit, const fs::Path& below,
                   Environment& environment);

  fs::Path repository_;
  fs::Path folder_;  // of all trees; "": none
  std::vector<WorkTree> trees_;
};

}  // namespace gate::app
