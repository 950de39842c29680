// What makes a suite, as files of a git ref in a folder of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gate/suite/suite.h"
#include "suite/temp_folder.h"

namespace gate::app {

struct RefFiles {
  std::string commit;
  config::Policy policy;
  std::string policy_text;
  std::vector<config::CaseScript> scripts;
  std::shared_ptr<const TempFolder> folder;
  fs::Path root;  // of the suite, in the folder
};

// Return gate.toml, scripts and baselines that the ref has at the tree's place, by its own policy. Fails as
// suite_at_ref() does.
Answer<RefFiles> files_at_ref(const Suite& tree, const std::string& reference);

// Put files of the ref at the tree's place below the root as well; those that it does not have are left out.
// Of a path with holes, `baselines/{baseline_id}/output.txt`, all files below the folder before them that end
// so.
Answer<void> add_files_at_ref(const Suite& tree, const std::string& reference,
                              const std::vector<std::string>& paths, const fs::Path& root);

}  // namespace gate::app
