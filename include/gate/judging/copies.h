// Files that are copied whole or not at all.
#pragma once

#include "gate/base/fs.h"

namespace gate::app {

// Copy the file to that path, whose folders are made: under another name first, so that nothing half-written
// ever has it.
Status copy_as(const fs::Path& from, const fs::Path& to);

// The same, but return false and leave what is there where anything stands under that name, a link that
// leads nowhere too.
Result<bool> copy_to_free(const fs::Path& from, const fs::Path& to);

// Copy a file into the folder, or all files below a folder with their paths seen from it. Links are followed;
// what is no regular file is left alone. Fails for what is not there.
Status copy_into(const fs::Path& from, const fs::Path& folder);

// Keep the output, and the shards of an index of weights beside it, as that name and beside it. Weights are
// linked where the file system does that, since they are large and nobody writes into them any more.
Status keep_output_as(const fs::Path& from, const fs::Path& to);

}  // namespace gate::app
