// What a run leaves: .gate/runs/<run-id>/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/report.h"

namespace gate::store {

class FolderLock;

class RunFolder {
 public:
  // Create .gate/runs/<id>/ with an id from the moment (`1121-0203`, `1121-0203-2` if taken) and point
  // .gate/latest to it. With `out` that folder, made or there already, holds the run, and .gate/runs/<id> is
  // a link to it, unless the suite cannot be written to. Two gates at once never get the same id.
  // The folder is this process's until the value is gone: a folder that another gate works in is refused.
  static Result<RunFolder> create(const fs::Path& root, Moment started, const std::string& out = "");

  // Take up the folder of a run that was cut off. Fails where a gate still works in it.
  static Result<RunFolder> reopen(const fs::Path& root, const std::string& run, Moment now);

  const std::string& id() const { return id_; }
  const fs::Path& path() const { return path_; }

  // Return the folder of a case, created. Its raw log is log.txt, its result result.json. Fails on a name
  // that would leave the run's folder.
  Result<fs::Path> case_folder(const std::string& case_name) const;

  // Write result.json (all cases so far) and the case's own result, atomically.
  Status save(const Report& report) const;
  Status save_case(const CaseReport& report) const;

  // Return what save_case wrote of the case; nothing where it did not.
  std::optional<CaseReport> saved_case(const std::string& case_name) const;

 private:
  // Each gives the folder its path and locks it. Returns its entry among all runs.
  Result<fs::Path> make(const fs::Path& runs, Moment started);
  Result<fs::Path> take(const fs::Path& runs, Moment started, const fs::Path& out);
  Status lock(Moment since);

  std::shared_ptr<FolderLock> lock_;
  std::string id_;
  fs::Path path_;
};

// Return the stored report of a run: "" is the latest, else an id, a folder or its result.json. Fails with
// what to do.
Result<Report> read_run(const fs::Path& root, const std::string& run);
Result<fs::Path> find_run(const fs::Path& root, const std::string& run);

// Return the ids of all runs that are kept, sorted.
std::vector<std::string> run_ids(const fs::Path& root);

// Remove the oldest run folders until `keep` are left (0 keeps all), oldest by when they were last written
// to. The latest run stays, one that a gate works in, and what no run made; of a run under a folder of its
// own (--out) only the link is removed.
Status prune_runs(const fs::Path& root, int keep);

}  // namespace gate::store
