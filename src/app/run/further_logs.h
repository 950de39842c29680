// Log files that a script writes itself: the setting `log`.
//
// Only what was written after the launch is the script's (app/old_logs), and no file that the script of
// another launch is writing at a look. What is read is kept, unpacked and masked, as
// `logs/<k>/<path>` in the folder of the launch: k is the place of the glob in the setting, the path that of
// the file seen from the script's cwd, so that no two collide and the rank can be told again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/run/log_copy.h"
#include "app/run/old_logs.h"
#include "gate/app/answer.h"
#include "gate/base/throttle.h"
#include "gate/launch/open_files.h"
#include "gate/model/extraction.h"

namespace gate::app {

// Return the rank that `{rank}` of the glob stands for in the path; nothing where the glob does not match
// it, or has no `{rank}`.
std::optional<int> rank_in(const std::string& glob, const std::string& path);

// Tell whether the glob matches the path; `{rank}` is any number.
bool matches_log(const std::string& glob, const std::string& path);

struct FurtherLog {
  std::size_t glob = 0;  // from 0
  std::string path;      // seen from the script's cwd, without a leading /
  fs::Path file;
  FileState state;
  std::optional<int> rank;
};

class FurtherLogs {
 public:
  // Return what other launches are writing.
  using Elsewhere = std::function<std::vector<launch::OpenFile>()>;

  // To be made right before the launch: notes what is there. `raw_log`, which has just been made, stands in
  // the folder of the launch. The extractor has one file then, the script's output.
  FurtherLogs(std::vector<std::string> globs, fs::Path cwd, const fs::Path& raw_log, Masker masker,
              Elsewhere elsewhere);

  // Feed what the script has written since the last look to the extractor, each file as one of its own. Costs
  // little however often it is called.
  void look(extract::Extractor& extractor);

  // Feed the rest, after the script's end. Returns problems for the extraction; a file that cannot be read or
  // kept is one, of kind `torn`.
  std::vector<Problem> finish(extract::Extractor& extractor);

  // Return a note for each glob to whose files the script wrote nothing, and for each file that is another
  // launch's: after finish().
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_kept() const { return !copies_.empty(); }
  bool empty() const { return globs_.empty(); }

 private:
  std::vector<FurtherLog> find() const;
  bool has_news(const FurtherLog& log);
  void see_others(const std::vector<FurtherLog>& logs);
  void begin(const FurtherLog& log, extract::Extractor& extractor);
  void read_all(extract::Extractor& extractor);
  std::string why_nothing(std::size_t glob, const std::vector<FurtherLog>& logs) const;

  std::vector<std::string> globs_;
  fs::Path cwd_;
  fs::Path kept_;
  Masker masker_;
  Elsewhere elsewhere_;
  std::unique_ptr<OldLogs> old_;
  std::set<FileIdentity> read_;                      // rotated ones too, under whatever name
  std::map<FileIdentity, launch::OpenFile> others_;  // files of other launches
  struct Copy {
    std::size_t glob = 0;
    std::unique_ptr<LogCopy> copy;
  };
  std::map<std::string, Copy> copies_;  // by file
  Throttle pace_;
  std::vector<std::string> notes_;
};

// Return what a stored launch printed: its raw log and the further logs kept beside it.
Answer<Extraction> read_launch(const std::string& log, const std::vector<std::string>& globs,
                               extract::Options options);

}  // namespace gate::app
