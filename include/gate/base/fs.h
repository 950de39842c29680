// Files: the only place where rooms that know nothing of processes touch the machine. Every error names the
// path and the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/fd.h"
#include "gate/base/result.h"

namespace gate::fs {

using Path = std::filesystem::path;
using FileTime = std::filesystem::file_time_type;

// Return a descriptor from which the path is read; the caller closes it. Fails at once for a named pipe, to
// which nobody may ever write (one without a name, as `<(...)` of a shell makes it, has a writer), and for a
// device that has no end, as /dev/zero.
Result<Fd> open_to_read(const Path& path);

// Return the whole content. Fails if the path is absent, unreadable, a directory or a named pipe.
Result<std::string> read_file(const Path& path);

// Return the whole content of a file that others may have put something else in the place of: fails for a
// link, for what is no regular file, and for more than `most` bytes, without waiting for anybody.
Result<std::string> read_regular(const Path& path, std::size_t most);

// Fail unless the path is a folder whose files can be listed.
Status check_folder(const Path& path);

// Return the content from the byte on, "" behind its end. Fails as read_file does.
Result<std::string> read_from(const Path& path, std::uintmax_t from);

// Call `take` with the content in blocks of at most 256 KiB, in constant memory. `-` is standard input.
// Fails as read_file does.
Status read_blocks(const Path& path, const std::function<void(std::string_view)>& take);

enum class Survives { power_loss, kill };

// Replace the file by the content, or leave what was there: written beside it and renamed. Creates missing
// parent folders. A file that was there keeps its mode. What survives a kill only is not synced, which a busy
// disk makes slow.
Status write_file(const Path& path, std::string_view content, Survives what = Survives::power_loss);

// Return what the path leads to in the end: the path itself unless it is a link; also where nothing stands
// there. Fails where links lead in a circle.
Result<Path> end_of_links(const Path& path);

// Fail where write_output could not write: the folder is not there, or the path is a folder.
Status check_output(const Path& path);

// Tell whether write_output replaces a file there, or makes one; else it writes into what stands there, and
// what was written once is not taken back.
bool is_replaceable(const Path& path);

// Put the content where a person wants it. A regular file is replaced as write_file does it, a link's target
// and never the link; into anything else (a device, a pipe, /dev/stdout) it is written. The folder must be
// there. A pipe without a reader is an error.
Status write_output(const Path& path, std::string_view content);

// Write the content behind what the file holds, in one piece; create a file that is missing. Fails at once
// where a pipe has no reader.
Status append_file(const Path& path, std::string_view content);

Status make_folder(const Path& path);
Status remove_file(const Path& path);

// Give the file a name of its file system that nothing has, instead of its own. Return whether it has it:
// where anything stands under the name by then, a link that leads nowhere too, the file keeps its own.
Result<bool> move_to_free(const Path& from, const Path& to);

// Make `link` point to `target` (taken as it is), replacing a link that is there, atomically.
Status replace_link(const Path& link, const Path& target);

// Make a new folder for its user alone, whose path begins so. The caller removes it; that of a gate that was
// killed the next one removes that makes one there.
Result<Path> make_unique_folder(const Path& start);

bool exists(const Path& path);

// Return how many bytes a file holds; 0 where it is not there.
std::uintmax_t size_of(const Path& path);
bool is_folder(const Path& path);

// Return the absolute path without links and dots, as far as it can be told: the same for every way to name
// the file, which need not be there.
Path whole_path(const Path& path);

// Tell whether the path, links followed, is the folder or lies in it.
bool is_within(const Path& path, const Path& folder);

// Return the program's absolute path, of the first of PATH's absolute folders that has it; an empty one where
// none has.
Path find_program(std::string_view name);

// Return the folder's own name, also of `.` and `x/`.
std::string name_of(const Path& folder);

// Tell whether anything stands under the name: also a link that leads nowhere, which does not exist().
bool is_taken(const Path& path);

// What is below a folder, as paths relative to it with `/`, each list sorted.
struct Listing {
  std::vector<std::string> files;   // regular ones, symbolic links to such included
  std::vector<std::string> others;  // neither file nor folder: pipes, links that lead nowhere or to folders
  std::vector<std::string> unread;  // folders that could not be listed; `.` is the folder itself
  std::string why;                  // the system's word for the first of those that it came to
};

// Return what is below the folder; links to folders are not followed. A folder that is not there holds
// nothing. No file is opened.
Listing list_below(const Path& folder);

// Return the files of list_below.
std::vector<std::string> files_below(const Path& folder);

// Likewise, for who must know all of them: fails where a folder could not be listed.
Result<std::vector<std::string>> all_files_below(const Path& folder);

// Return the folder that a glob or a template names before its first hole, with a slash at its end: `a/b/` of
// `a/b/{case}.json`; "" where it names none.
std::string folder_before_hole(std::string_view pattern);

// Return what is below `root` that the glob may select, relative to it: only the folder that the glob names
// without a glob character is walked, as list_below does. What gate has set aside is none of its files.
Listing list_for(const Path& root, const std::string& glob);

// Return the files of list_for.
std::vector<std::string> files_for(const Path& root, const std::string& glob);

// Tell whether nothing stands there: where nobody can tell, something may, and who reads it learns why not.
bool is_missing(const Path& path);

// Return the SHA-256 of the content, 64 lower-case hexadecimal digits.
std::string sha256(std::string_view content);

// Return that of what the file holds, in constant memory. Fails as read_file does.
Result<std::string> sha256_of(const Path& path);

}  // namespace gate::fs
