#include "suite/job_patches.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/config/job_patch.h"

namespace gate::app {

namespace {

// It lies where baselines do: in the tree, or in the ref that judges it.
config::Parsed<std::string> read_patch(const Suite& suite, const config::Case& spec) {
  constexpr std::size_t most = 1 << 20;
  const std::string& file = spec.settings.kubernetes.patch;
  const auto text = fs::read_regular(fs::whole_path(folder_of_files(suite.layout) / file), most);
  if (text) return config::read_job_patch(*text, suite.read_from + file);
  const Position at = place_of_setting(suite, spec, "kubernetes.patch");
  return tl::unexpected(Diagnostics{{at, "kubernetes.patch: " + text.error().message}});
}

}  // namespace

Answer<void> take_job_patches(Suite& suite) {
  std::map<std::string, config::Parsed<std::string>> known;  // what a path says
  for (config::Case& spec : suite.cases) {
    Kubernetes& settings = spec.settings.kubernetes;
    if (settings.patch.empty()) continue;
    if (!known.contains(settings.patch)) known.emplace(settings.patch, read_patch(suite, spec));
    const auto& patch = known.at(settings.patch);
    if (patch)
      settings.patched = *patch;
    else if (place_of_setting(suite, spec, "kubernetes.patch").file == "--set")
      return usage(to_string(patch.error()));
    else
      spec.file.unreadable = to_string(patch.error(), "; ");
  }
  return {};
}

std::vector<std::string> patch_paths(const Suite& suite) {
  std::vector<std::string> paths;
  for (const config::Case& spec : suite.cases)
    if (const std::string& path = spec.settings.kubernetes.patch; !path.empty() && !path.starts_with('/'))
      paths.push_back(path);
  return paths;
}

}  // namespace gate::app
