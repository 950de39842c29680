#include "suite/golden_files.h"

#include <algorithm>

#include "gate/base/object_place.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

// An absolute path into the suite is seen from its folder, so that a ref has a file of that name, too.
fs::Path path_in(const std::string& path, const fs::Path& root) {
  const fs::Path normal = fs::Path(path).lexically_normal();
  return normal.is_absolute() && fs::is_within(normal, root) ? normal.lexically_relative(root) : normal;
}

}  // namespace

void place_golden_files(config::Settings& settings, const Suite& suite) {
  const fs::Path& files = folder_of_files(suite.layout);
  for (auto& [name, output] : settings.outputs)
    for (std::string& golden : output.golden)
      if (!golden.starts_with(config::stages_hole) && !is_object_place(golden))
        golden = (files / path_in(golden, suite.root)).lexically_normal().string();
}

std::vector<std::string> golden_files_in(const config::Case& spec, const fs::Path& folder) {
  std::vector<std::string> files;
  for (const std::string& path : golden_paths(spec, folder)) {
    std::string glob = path;
    for (std::size_t at = glob.find('{'); at != std::string::npos; at = glob.find('{', at))
      glob.replace(at, std::min(glob.find('}', at), glob.size() - 1) - at + 1, "*");
    if (glob == path && fs::is_taken(folder / path)) files.push_back(path);
    if (glob == path) continue;
    const std::string before = fs::folder_before_hole(path);
    for (const std::string& below : fs::files_below(folder / before))
      if (glob_match(glob, before + below)) files.push_back(before + below);
  }
  return files;
}

std::vector<std::string> golden_paths(const config::Case& spec, const fs::Path& folder) {
  std::vector<std::string> paths;
  for (const auto& [name, output] : spec.settings.outputs)
    for (const std::string& golden : output.golden)
      if (!is_object_place(golden) && fs::is_within(golden, folder))
        paths.push_back(fs::Path(golden).lexically_relative(folder).generic_string());
  return paths;
}

}  // namespace gate::app
