// The golden files of a run, as they were when it began: what a script writes there meanwhile changes no
// verdict.
//
// Of each file a copy is kept in the run's folder, and its hash in memory, which no script can write to: a
// copy that is another one by the time when it is needed judges nothing. A file in the folder that the
// stages of a case share is kept right before the case's first launch, behind its download stage; so is one
// that this stage brought, elsewhere. An object of a store is fetched for each launch, and must be the same.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "gate/base/fs.h"
#include "gate/base/sentence.h"
#include "gate/judging/case_outputs.h"

namespace gate::app {

// Used by several threads at once.
class GoldenMemory {
 public:
  // Keep copies in that folder, which is made when it is needed, and removed at the end.
  explicit GoldenMemory(fs::Path folder) : folder_(std::move(folder)) {}
  ~GoldenMemory();

  // Keep what the golden files of the outputs are now: those that were not kept before; with `before`, those
  // that were another one then. `{stages}` and objects lie in `stages`; without it they are left for later.
  void keep(const config::Settings& settings, const fs::Path& stages, const GoldenHashes& before = {});

  // Let the output be judged by what was kept of its golden files, or say why it cannot be. A file that is
  // not the same any more is a problem.
  void judge_by_kept(const std::vector<fs::Path>& golden, KeptOutput& output,
                     std::vector<Sentence>& problems) const;

  // Take note of what an object was when it was fetched first. Returns false where it was another then.
  bool is_same(const std::string& file, const std::string& sha256) {
    const std::lock_guard lock(mutex_);
    return fetched_.emplace(file, sha256).first->second == sha256;
  }

  // Return the SHA-256 of all objects by their paths.
  std::map<std::string, std::string> fetched() const {
    const std::lock_guard lock(mutex_);
    return fetched_;
  }

 private:
  struct Kept {
    std::string sha256;  // "": there was no such file
    fs::Path copy;
  };
  Kept kept_of(const fs::Path& file) const;

  fs::Path folder_;
  mutable std::mutex mutex_;
  std::map<std::string, std::string> fetched_;
  std::map<std::string, Kept> kept_;
};

}  // namespace gate::app
