#include "suite/golden_files.h"

#include "gate/base/object_place.h"

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

std::vector<std::string> golden_paths(const config::Case& spec, const fs::Path& folder) {
  std::vector<std::string> paths;
  for (const auto& [name, output] : spec.settings.outputs)
    for (const std::string& golden : output.golden)
      if (!is_object_place(golden) && fs::is_within(golden, folder))
        paths.push_back(fs::Path(golden).lexically_relative(folder).generic_string());
  return paths;
}

}  // namespace gate::app
