// Log files that a script writes itself: the setting `log`.
//
// Only what was written after the launch is the script's: a file that was there and has only grown is read
// from its size at the launch on (see base/tail.h). What is read is kept, unpacked and masked, as
// `logs/<k>/<path>` in the folder of the launch: k is the place of the glob in the setting, the path that of
// the file seen from the script's cwd, so that no two collide and the rank can be told again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/base/pace.h"
#include "gate/base/secrets.h"
#include "gate/base/tail.h"
#include "gate/extract/extractor.h"
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
  std::optional<int> rank;
};

class FurtherLogs {
 public:
  // To be made before the launch: notes what is there. `kept` is the folder of the launch.
  FurtherLogs(std::vector<std::string> globs, fs::Path cwd, fs::Path kept);

  // Return how many steps further the files are than at the last look (1 where they began again), each file
  // read for itself, and the last step and the total in them. Costs little however often it is called.
  struct Progress {
    std::int64_t steps = 0;
    std::int64_t last_step = 0;
    std::optional<std::int64_t> total;
  };
  Progress look(const extract::Options& options);

  // Feed what the script wrote to the extractor and keep it. Returns problems for the extraction; a file
  // that cannot be read or kept is one, of kind `torn`.
  std::vector<Problem> read(extract::Extractor& extractor, const Masker& masker);

  // Return a note for each glob that nothing matches: after read().
  const std::vector<std::string>& notes() const { return notes_; }
  bool has_kept() const { return kept_any_; }
  bool empty() const { return globs_.empty(); }

 private:
  struct Scout {
    Tail tail;
    extract::Extractor extractor;
  };
  std::vector<FurtherLog> find() const;
  std::uintmax_t start_of(const FurtherLog& log) const;
  std::optional<Problem> read_one(const FurtherLog& log, extract::Extractor& extractor, const Masker& masker);
  void scout(const FurtherLog& log, const extract::Options& options, Progress& progress);

  std::vector<std::string> globs_;
  fs::Path cwd_;
  fs::Path kept_;
  std::map<std::string, FileMark> marks_;
  std::map<std::string, Scout> scouts_;
  std::int64_t last_step_ = 0;
  Pace pace_;
  std::vector<std::string> notes_;
  bool kept_any_ = false;
};

// Return what a stored launch printed: its raw log and the further logs kept beside it.
Answer<Extraction> read_launch(const std::string& log, const std::vector<std::string>& globs,
                               extract::Options options);

}  // namespace gate::app
