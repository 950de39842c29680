// Sets aside what lies where a launch writes its outputs: only what the launch wrote counts.
//
// No clock tells whether a script wrote a file: times are copied, set, and lie in the future. So what lies at
// the place of an output before a launch is renamed in its own folder. What stands there afterwards is the
// launch's own:
//
//     before the launch             out/answer.txt
//     while the script runs         out/.answer.txt.gate-aside-5f2c01d9a4e7
//     it wrote out/answer.txt       the old one is removed, and the new one counts
//     it wrote none                 the old one is called out/answer.txt again, and does not count
//
// A file is renamed, never copied. What must keep its name is left there: a symbolic link (and so what it
// leads to), what is `kept` (golden files, what a case needs), and what the system lets nobody rename. Of
// such a file is noted which one it is, its size, the time of its last change by its own file system, and its
// hash. If all of that is the same afterwards, it does not count. Its device is not noted: two hosts that
// share a file number their devices differently (decision 69).
//
// A link is made in no time, also to an old file. So what is reached through a link counts only if it changed
// behind the journal: by the change time of the file system, which no program can set.
//
// The journal comes first, and holds all that is going to be renamed. So whoever finds it can do the rest at
// any moment, and once more (settle() is what all of them do):
//
//     KILL ...                              settle() finds            and does
//     before the journal has its name       no journal                nothing: nothing was renamed
//     before or between the renames         some under both names     puts back what was renamed
//     while the script runs                 all of it                 as at the end of a launch
//     while it settles                      the rest                  the rest
//
// Those who find it: the launch at its end; the guard of a gate that was killed, by its owner; each gate that
// starts on the host later, `--resume` included, where nobody holds the lock on it any more. A journal that
// is not the user's own, or that others may write to, is left alone: it would rename files for somebody else.
#pragma once

#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"

namespace gate {

// A glob, seen from the folder.
struct AsidePlace {
  std::string folder, glob;
  bool operator==(const AsidePlace&) const = default;
};

// The files that a launch sets aside.
struct Asides {
  std::string journal;              // its path: no other launch has the same; "": nothing is set aside
  std::vector<AsidePlace> places;   // of outputs
  std::vector<std::string> kept{};  // files that keep their names, and folders of such
  std::string see{};                // a journal that another host makes for the same launch; "": none
};

// Write the journal and set aside what the globs match. Does nothing where the journal is there: another
// start of the launch has done so, or another node of it, whose end is waited for. Fails where the journal
// cannot be written; what cannot be renamed is no failure.
Status set_outputs_aside(const Asides& asides);

// Put back or remove what was set aside, and remove the journal. Returns the files at the places that are not
// the launch's, sorted, by the paths that they were found under: folder / what the glob matched. No journal,
// none.
// Fails where something could not be put back: the journal stays.
Result<std::vector<std::string>> settle(const fs::Path& journal);

// Return who a journal of this process belongs to: the same in the processes that it is split into later. To
// be called first before that.
const std::string& owner_of_asides();

// Settle the journals of the folder: those of the owner, who is gone; "": of all owners who are gone. Returns
// what went wrong.
std::vector<std::string> settle_left(const fs::Path& folder, const std::string& owner);

// Return the name of the launch's journal in a folder of many.
std::string journal_name(const std::string& launch);

// Tell whether a file of that path was set aside: nobody looks for it.
bool is_set_aside(std::string_view path);

}  // namespace gate
