// What of a log file is older than a launch. A script may rename, link, rotate and copy old logs; none of
// that makes them its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/tail.h"

namespace gate::app {

class OldLogs {
 public:
  // To be made right before the launch: `fresh` is a file that gate has just made, so its time is that of the
  // launch by the clock of its file system.
  explicit OldLogs(const fs::Path& fresh);

  // Note a file that stands there before the launch.
  void note(const fs::Path& file);

  // Return from which byte on the file holds what was written since the launch:
  //   - a file that was noted, whatever its name is now: from its size then on, see written_since();
  //   - one that begins with the first 64 KiB of a noted one, or with all of it, or is as far as it goes the
  //     beginning of one (of the first 4,096 that were noted): a copy, so from that one's size on. Of a noted
  //     one that is a single line, which may be a header, nothing but the very same is a copy;
  //   - one that was made or last written before the launch: from the size on that it has when it is first
  //     asked for. Where the clock was set back since, so is the time of the launch;
  //   - any other: from 0.
  std::uintmax_t start_of(const fs::Path& file);

 private:
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // device and inode

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
  std::map<Place, FileMark> marks_;
  std::vector<Beginning> beginnings_;
};

}  // namespace gate::app
