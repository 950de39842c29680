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
  // Create .gate/runs/<id>/ with an id from the moment (`1121-0203`, `1121-0203-2` if taken) and point .gate/latest to
  // it; or use `out` as the folder. Two gates at once never get the same folder.
  static Result<RunFolder> create(const fs::Path& root, Moment started, const std::string& out = "");

  const std::string& id() const { return id_; }
  const fs::Path& path() const { return path_; }

  // Return the folder of a case, created; and its raw log.
  Result<fs::Path> case_folder(const std::string& case_name) const;

  // Write result.json (all cases so far) and the case's own result, atomically.
  Status save(const Report& report) const;
  Status save_case(const CaseReport& report) const;

 private:
  std::string id_;
  fs::Path path_;
};

// Appends to a log file as bytes come. A write error is remembered and told once.
class LogFile {
 public:
  static Result<LogFile> create(const fs::Path& path);
  Status append(std::string_view bytes);
  Status close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Return the stored report of a run: "" is the latest, else an id or a folder. Fails with what to do.
Result<Report> read_run(const fs::Path& root, const std::string& run);
Result<fs::Path> find_run(const fs::Path& root, const std::string& run);

}  // namespace gate::store
