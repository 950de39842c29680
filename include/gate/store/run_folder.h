// What a run leaves: .gate/runs/<run-id>/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/reports/report.h"
#include "gate/model/reports/run_status.h"

namespace gate::store {

class FolderLock;

class RunFolder {
 public:
  // Create .gate/runs/<id>/ with an id from the moment (`1121-0203`, `1121-0203-2` if taken). With `out` that
  // folder, made or there already, holds the run, in place of the one that was in it, and .gate/runs/<id> is
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

  // Write the report of a run that begins, or is taken up: from here on .gate/latest is this run, and
  // read_run knows it. Of a case that is not taken up, what another run left is forgotten: its result, its
  // further launches, and the folders of its first one.
  Status begin(const Report& report) const;

  // Write result.json (all cases so far) and the case's own result, atomically.
  Status save(const Report& report) const;
  Status save_case(const CaseReport& report) const;

  // Write what the run is doing now. Nothing of it is left behind a run that has ended by itself, or of what
  // was asked of it: a run whose status stays was cut off.
  Status save_status(const RunStatus& status) const;
  Status clear_status() const;
  void clear_requests() const;

  // Return what `gate stop` has asked of the run so far. `size` is that of the file that was read, from the
  // call before: nothing is read, and nothing returned, where it has not grown since.
  std::optional<std::vector<StopRequest>> stop_requests(std::uintmax_t& size) const;

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
  fs::Path latest_;  // the link that is to lead to it; "": none
};

// Tell whether a run may have the folder: a run has been in it, also one that was killed at once, or nothing
// is in it.
bool is_for_a_run(const fs::Path& folder);

// Return the stored report of a run: "" and `latest` are the latest, else an id, a folder or its result.json.
// Fails with what to do.
Result<Report> read_run(const fs::Path& root, const std::string& run);
Result<fs::Path> find_run(const fs::Path& root, const std::string& run);

// Return that remove_runs removed the run of that id, when and why; "" where it did not.
std::string told_of_removed(const fs::Path& root, const std::string& run);

// Tell whether a gate began the run, and did not come to its end: it was killed, or works at it now.
bool is_open(const fs::Path& root, const std::string& run);

// Return the newest `gate run` that was cut off: one that no gate works at, and that is open or has left a
// case; where there is none, the latest run. Fails with what to do.
Result<Report> read_cut_off(const fs::Path& root);

// Return the latest run that was judged. Fails with what to do.
Result<Report> read_latest(const fs::Path& root);

// Return what the run in the folder is doing or, where no gate works in it, how it ended; a run that was cut
// off has no exit code. Fails where no run has been there, or nobody may look.
Result<RunStatus> read_run_status(const fs::Path& folder);

// Ask the run in the folder to end, or a case of it. Fails where it has ended, and where that may not be
// written there.
Status ask_to_stop(const fs::Path& folder, const StopRequest& request);

// Return the page that lies in the folder of the run, as `--out F --report html=F/report.html` puts it there;
// an empty path where there is none of that run.
fs::Path page_of_run(const fs::Path& root, const std::string& run);

// Return the ids of all runs that are kept, sorted.
std::vector<std::string> run_ids(const fs::Path& root);

// Return the oldest run folders, so that without them `keep` are left (0 keeps all), oldest by when they were
// last written to. Not the latest run, one that a gate works in, nor what no run made.
std::vector<fs::Path> old_runs(const fs::Path& root, int keep);

// Remove old_runs, whichever of them another gate has not removed since; of a run under a folder of its own
// (--out) only the link. What is removed is noted (see told_of_removed). Fails with the first that cannot be
// removed, and removes the others.
Status remove_runs(const fs::Path& root, const std::vector<fs::Path>& runs, int keep);

// Remove what gates that were killed left unfinished (fs::remove_unfinished) below `.gate`: in the folders of
// runs, below those that were cut off, and below the candidates. What lies behind a link stays.
void remove_unfinished(const fs::Path& root);

}  // namespace gate::store
