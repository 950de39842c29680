// Cases whose scripts may write one log file: what stands in it could not be told apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"

namespace gate::app {

struct SharedLogs {
  // For each case its group: cases are in one where globs of theirs can match the same file, directly or by
  // others between them. None: no other case's globs can.
  std::vector<std::optional<std::size_t>> groups;
  // For each group a glob of each of two cases that can match the same file.
  std::vector<std::pair<std::string, std::string>> examples;
};

// `globs` are the cases' settings `log`, seen from the folder; `{rank}` is any text.
SharedLogs shared_logs(const std::vector<std::vector<std::string>>& globs, const fs::Path& cwd);

}  // namespace gate::app
