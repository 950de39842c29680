// Files that are not whole yet have names of their own, so that those of a gate that was killed are known.
//
// What is to appear at once is made beside its place, and renamed to it:
//
//     .result.json.gate-new-71-8123456-5f2c01d9a4e7-3
//      its place            |     |         |       the how manieth of the process
//                          pid  start   host and namespace, in which that is the process
//
// KILL before the rename leaves it there. The next gate that makes one in the folder removes it, where it is
// this user's, and its process is gone: pid and start time name one for good. What another host made is left
// to that host. No link is followed, and no other name is touched.
#pragma once

#include "gate/base/fs.h"

namespace gate::fs {

// Return a hidden path beside that one for what is going to be renamed to it. What gates that are gone left
// there is removed before, once for each folder.
Path unfinished_beside(const Path& path);

// Return a path that begins so, for a folder that is removed at the end; else as above.
Path unfinished_from(const Path& start);

enum class Below { no, yes };

// Remove from the folder, and from those below, which no links lead to, what gates that are gone left there.
// What cannot be removed stays.
void remove_unfinished(const Path& folder, Below below = Below::no);

}  // namespace gate::fs
