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
  Position at;
  if (const auto lines = origins(suite, spec))
    at.file = std::ranges::find(*lines, "kubernetes.patch", &config::SettingOrigin::key)->origin;
  return tl::unexpected(Diagnostics{{at, "kubernetes.patch: " + text.error().message}});
}

}  // namespace

Answer<void> take_job_patches(Suite& suite) {
  Diagnostics mistakes;
  std::map<std::string, std::string> known;  // what a path says
  for (config::Case& spec : suite.cases) {
    Kubernetes& settings = spec.settings.kubernetes;
    if (settings.patch.empty()) continue;
    const auto [one, is_new] = known.try_emplace(settings.patch);
    if (is_new) {
      auto read = read_patch(suite, spec);
      if (read)
        one->second = std::move(*read);
      else
        mistakes.insert(mistakes.end(), read.error().begin(), read.error().end());
    }
    settings.patched = one->second;
  }
  return mistakes.empty() ? Answer<void>() : usage(to_string(mistakes));
}

std::vector<std::string> patch_paths(const Suite& suite) {
  std::vector<std::string> paths;
  for (const config::Case& spec : suite.cases)
    if (const std::string& path = spec.settings.kubernetes.patch; !path.empty() && !path.starts_with('/'))
      paths.push_back(path);
  return paths;
}

}  // namespace gate::app
