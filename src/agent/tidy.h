// What is left in the agent's folder from earlier gates.
#pragma once

#include "gate/base/fs.h"

namespace gate::agent {

// Delete what nobody has used for 30 days: contents of files, agents but `own`, and folders of sessions,
// which touch theirs as long as they live. Notes that `own` is used.
void tidy_up(const fs::Path& folder, const fs::Path& own);

}  // namespace gate::agent
