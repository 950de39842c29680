// A copy, here, of files of a host whose files gate does not see: those that globs select. It follows them
// as they grow, so who reads the copy sees what he would see there: which files are one under another name,
// which were replaced, and which are older than the launch (decisions 37 and 72).
//
// A file there is known by its identity (device, inode, birth), whatever names it has. Here it is a numbered
// file in the store, and each name is a hard link to that. There a log is rotated between two looks:
//
//     there                        here, before           here, behind update_once()
//     train.log   is inode 9       train.log -> store/1   train.log   -> store/2
//     train.log.1 is inode 8                              train.log.1 -> store/1
//
//   1. inode 8 is known, and has only grown: what it printed before the rotation is fetched into store/1
//   2. inode 9 is new: store/2 is made, empty
//   3. names: `train.log` becomes a link to store/2, in one rename; names that are gone there go here
//   4. what inode 9 holds is fetched
//
// In this order, because a Tail follows the name here: it reads what it has open to its end when another file
// stands under the name. With 3 before 1 the last lines of the old log would come after it had left.
//
// A file that is shorter than what was fetched, or holds something else at either end of that (`> log` in a
// script), begins a new file of the store: a reader takes it for another file, as it would there. One that is
// older than the launch is made with its whole size, but only its ends are fetched; the hole between them
// reads as zeros, which nobody looks at. Its times are made old.
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
