// A copy, here, of files of a host whose files gate does not see: those that globs select. It follows them
// as they grow, so who reads the copy sees what he would see there: which files are one under another name,
// which were replaced, and which are older than the launch (decisions 37 and 72).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/hosts/far_files.h"

namespace gate::app {

// How much is taken of the files of a launch on one host.
inline constexpr std::uintmax_t most_mirrored = std::uintmax_t{4} << 30;

struct MirroredFolder {
  fs::Path there;
  fs::Path here;
  std::vector<std::string> globs;                   // of files in it, as fs::files_for() takes them
  std::function<bool(const std::string&)> matches;  // of those that a glob matches; none: all
};

// What of a file that is older than the launch: its size with its first 64 KiB and its last 4 KiB, what
// OldLogs looks at, and all that is written behind it; or nothing.
enum class OldFiles { ends, none };

struct MirrorOptions {
  std::int64_t launched = 0;  // as FarFiles::make_folder() tells of it
  OldFiles old = OldFiles::none;
  std::uintmax_t most = most_mirrored;  // in bytes
};

class Mirror {
 public:
  // `store` is a folder here of the mirror's own, on the file system of those where the copies are to be.
  Mirror(hosts::FarFiles& files, std::vector<MirroredFolder> folders, fs::Path store, MirrorOptions options);
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;
  ~Mirror();

  // Take what stands there, before the launch: all of it is old.
  std::vector<std::string> note(const Cut& cut);

  // Take what is new, again and again in a thread of its own, until update() is called.
  void follow();

  // Take all that is new by now. Returns what went wrong, as sentences, those that were cut off in one; some
  // files may be left out then, as they are once the cut is over.
  std::vector<std::string> update(const Cut& cut);

 private:
  // One file of the host, under whatever names.
  struct Copy {
    fs::Path file;             // in the store
    std::uintmax_t size = 0;   // what has been taken of it
    std::int64_t written = 0;  // the file, when all of it had been taken
    bool is_old = false;
  };
  struct Found {
    fs::Path there, here;
    FileState state;
  };
  enum class Age { before_launch, as_its_times_say };

  std::vector<std::string> update_once(Age age, const Cut& cut);
  Result<std::vector<Found>> find() const;
  bool is_old(const FileState& state) const;
  Status add_copy(const Found& found, Age age);
  Result<bool> has_only_grown(const Found& found, const Copy& copy);
  Status begin_anew(Copy& copy);
  Status take_ends(const Found& found, Copy& copy);
  std::string words_of_left() const;
  Status leave(const Found& found);
  Status take_rest(const Found& found);
  Status take(const Found& found, Copy& copy, std::uintmax_t from, std::size_t count);
  Status give_name(const Found& found);
  void drop_names(const std::vector<Found>& all);
  void keep_up(const std::stop_token& stop);
  void end_following();

  hosts::FarFiles& files_;
  const std::vector<MirroredFolder> folders_;
  const fs::Path store_;
  const MirrorOptions options_;
  Cut cut_;                        // of the update that goes on
  std::vector<std::string> left_;  // by it
  std::map<FileIdentity, Copy> copies_;
  std::map<fs::Path, fs::Path> names_;  // here -> in the store
  std::uintmax_t taken_ = 0;            // bytes
  int stored_ = 0;                      // files
  std::jthread thread_;
};

}  // namespace gate::app
