// Log files that a script writes itself: the setting `log`.
//
// Only what was written after the launch is the script's (see OldLogs), and no file that the script of
// another launch is writing when it is polled. What is read is kept, unpacked and masked, as
// `logs/<k>/<path>` in the folder of the launch: k is the place of the glob in the setting, the path that of
// the file seen from the script's cwd, so that no two collide and the rank can be told again. Of nodes whose
// files gate does not see, those of node 1 are kept in `logs.node1`, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/decompress.h"
#include "gate/base/secrets.h"
#include "gate/base/sentence.h"
#include "gate/base/tail.h"
#include "gate/base/throttle.h"
#include "gate/base/time.h"
#include "gate/extract/extractor.h"
#include "gate/launch/open_files.h"
#include "gate/model/runs/extraction.h"
#include "gate/store/log_file.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Return the rank that `{rank}` of the glob stands for in the path; nothing if the glob does not match it, or
// has no `{rank}`.
std::optional<int> rank_in(const std::string& glob, const std::string& path);

// Tell whether the glob matches the path; `{rank}` is any number.
bool matches_log(const std::string& glob, const std::string& path);

// Return the glob with `*` in place of `{rank}`: what may match it is to be looked for so.
std::string without_rank(const std::string& glob);

// Tell whether a path seen from cwd or root may be a log of the script's: gate's own files are none.
bool may_be_log(const std::string& path);

// What of a log file is older than a launch. A script may rename, link, rotate and copy old logs; none of
// that makes them its own (decision 21).
class OldLogs {
 public:
  // To be made right before the launch: `fresh` is a file that gate has just made, so its time is that of the
  // launch by the clock of its file system.
  explicit OldLogs(const fs::Path& fresh);

  // Note a file that stands there before the launch.
  void note(const fs::Path& file) { keep(file, mark_of(file)); }

  // Return from which byte on the file holds what was written since the launch:
  //   - a file that was noted, whatever its name is now: from its size then on, see written_since();
  //   - one that begins with the first 64 KiB of a noted one, or with all of it, or is as far as it goes the
  //     beginning of one (of the first 4,096 that were noted): a copy, so from that one's size on. Of a noted
  //     one that is a single line, which may be a header, nothing but the very same is a copy;
  //   - one that was made or last written before the launch: from the size on that it has when it is first
  //     asked for. If the clock was set back since, so is the time of the launch;
  //   - any other: from 0.
  std::uintmax_t start_of(const fs::Path& file);

 private:
  // How a noted file began.
  struct Beginning {
    std::string bytes;
    std::uintmax_t size = 0;  // of the file
    bool is_one_line = false;
  };

  void keep(const fs::Path& file, FileMark mark);
  std::uintmax_t copied(const fs::Path& file) const;
  bool is_older(const FileState& state) const;

  FileState fresh_;
  std::int64_t clock_ = 0;  // at the launch, for files on other file systems
  std::int64_t lead_ = 0;   // of the clock over the one that is never set, at the launch
  std::map<std::pair<std::uint64_t, std::uint64_t>, FileMark> marks_;  // by device and inode
  std::vector<Beginning> beginnings_;
};

// One log file that a script writes itself: read as it grows, and kept, unpacked and masked.
class LogCopy {
 public:
  // The file's bytes from `tail` on are the extractor's file of that index.
  LogCopy(Tail tail, std::size_t index, Result<store::LogFile> copy, const Masker& masker);
  LogCopy(const LogCopy&) = delete;
  LogCopy& operator=(const LogCopy&) = delete;

  // Feed what has come since the last call. A file that begins anew goes on as the same one: its steps fall.
  void read(extract::Extractor& extractor);

  // Return which file was read last.
  FileIdentity identity() const { return tail_.identity(); }

  // Let go of the file after a last read. Fails with what went wrong first, then or before.
  Status finish(extract::Extractor& extractor);

 private:
  void begin_unpacking(extract::Extractor& extractor);
  void end_unpacking();
  void remember(const Status& status);

  Tail tail_;
  std::size_t index_;
  std::optional<store::LogFile> copy_;
  StreamMasker masked_;
  std::optional<Decompressor> unpacker_;
  Status first_failure_;
};

// Where the logs of a node are looked for: its working folder, the scratch folder for globs that begin with
// `{scratch}/`, and its root for those that begin with a `/`.
struct LogPlace {
  std::size_t node = 0;
  fs::Path cwd;
  fs::Path scratch;
  fs::Path root = "/";
};

struct ExtraLog {
  std::size_t glob = 0;  // from 0
  std::size_t node = 0;
  std::string path;  // seen from its folder, without a leading /
  fs::Path file;
  FileState state;
  std::optional<int> rank;
};

class ExtraLogs {
 public:
  // Return what other launches are writing.
  using Elsewhere = std::function<std::vector<launch::OpenFile>()>;

  // To be made right before the launch: notes what is there. `raw_log`, which has just been made, stands in
  // the folder of the launch. Nodes that share their files share a place. The extractor has so many files
  // then, the script's output on each node.
  ExtraLogs(std::vector<std::string> globs, std::vector<LogPlace> places, const fs::Path& raw_log,
            Masker masker, Elsewhere elsewhere, std::size_t nodes = 1);

  // Feed what the script has written since the last call to the extractor, each file as one of its own. Costs
  // little however often it is called.
  void poll(extract::Extractor& extractor);

  // Feed the rest, after the script's end. Returns problems for the extraction; a file that cannot be read or
  // kept is one, of kind `torn`.
  std::vector<Problem> finish(extract::Extractor& extractor);

  // Return a note for each glob to whose files the script wrote nothing, and for each file that is another
  // launch's: after finish().
  const std::vector<Sentence>& notes() const { return notes_; }
  bool has_kept() const { return !copies_.empty(); }

 private:
  std::vector<ExtraLog> find() const;
  void find_in(const LogPlace& place, std::size_t glob, std::set<FileIdentity>& seen,
               std::vector<ExtraLog>& logs) const;
  bool has_news(const ExtraLog& log);
  void note_others(const std::vector<ExtraLog>& logs);
  LogCopy& add_copy(const ExtraLog& log, extract::Extractor& extractor);
  void read_all(extract::Extractor& extractor);
  Sentence why_nothing(std::size_t glob, const std::vector<ExtraLog>& logs) const;

  std::vector<std::string> globs_;
  std::vector<LogPlace> places_;
  fs::Path kept_;
  std::size_t nodes_;
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
  Throttle throttle_;
  std::vector<Sentence> notes_;
};

// Return under which name a report knows a file or folder of a launch: `logs`, `logs_node1`.
std::string artifact_key(std::string name);

// Note in what is known of the launch which of its nodes printed nothing, neither to their own log nor to a
// kept file: `silent_nodes` of its set-up is `1`, `1-3`, `none`. Of one node nothing is noted.
void note_silent_nodes(const fs::Path& log, std::size_t nodes, Extraction& extraction);

// Return why the files of the log tell of another launch than the one that began then and ended by itself
// after that time; "" where they do not. Events of FlagPerf and MLPerf tell the milliseconds since 1970, by
// the clock of their host, which may go wrong by five minutes.
Sentence told_earlier(const std::vector<std::string>& files, Moment began, Duration lasted);

// Return where a node has what node 0 has under the path: `log.txt`, `log.node1.txt`; `logs`, `logs.node1`.
fs::Path of_node(const fs::Path& path, std::size_t node);

// Return what a stored launch printed: its raw log, on each node, and the extra logs kept beside it.
Answer<Extraction> read_launch(const std::string& log, const std::vector<std::string>& globs,
                               extract::Options options);

}  // namespace gate::app
