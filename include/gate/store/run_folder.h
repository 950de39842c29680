// What a run leaves: .gate/runs/<run-id>/.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/model/report.h"

namespace gate::store {

class RunFolder {
 public:
  // Create .gate/runs/<id>/ with an id from the moment (`1121-0203`, `1121-0203-2` if taken) and point
  // .gate/latest to it. With `out` that folder, made or there already, holds the run, and .gate/runs/<id> is
  // a link to it. Two gates at once never get the same id.
  static Result<RunFolder> create(const fs::Path& root, Moment started, const std::string& out = "");

  const std::string& id() const { return id_; }
  const fs::Path& path() const { return path_; }

  // Return the folder of a case, created. Its raw log is log.txt, its result result.json. Fails on a name
  // that would leave the run's folder.
  Result<fs::Path> case_folder(const std::string& case_name) const;

  // Write result.json (all cases so far) and the case's own result, atomically.
  Status save(const Report& report) const;
  Status save_case(const CaseReport& report) const;

 private:
  std::string id_;
  fs::Path path_;
};

// Appends to a log file as bytes come, unbuffered. A write error is told once; what comes later is dropped.
class LogFile {
 public:
  static Result<LogFile> create(const fs::Path& path);
  Status append(std::string_view bytes);
  Status close();

 private:
  Status give_up();

  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Return the stored report of a run: "" is the latest, else an id, a folder or its result.json. Fails with
// what to do.
Result<Report> read_run(const fs::Path& root, const std::string& run);
Result<fs::Path> find_run(const fs::Path& root, const std::string& run);

// Remove the oldest run folders until `keep` are left (0 keeps all), oldest by when they were last written
// to. The latest run stays, and so does what no run made; of a run under a folder of its own (--out) only the
// link is removed.
Status prune_runs(const fs::Path& root, int keep);

}  // namespace gate::store
