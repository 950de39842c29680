// What a case has on a platform: its size, variables, a folder of data, and what must be there.
#include "config/layers/on_platform.h"

#include <algorithm>
#include <filesystem>

#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/config/policy.h"

namespace gate::config {

bool is_for(std::string_view glob, std::string_view platform) {
  return glob == any_platform || glob_match(glob, platform);
}

std::pair<int, std::size_t> specificity(std::string_view glob) {
  if (glob == any_platform) return {};
  const auto is_letter = [](char c) { return std::string_view("*?[]").find(c) == std::string_view::npos; };
  return {is_glob(glob) ? 1 : 2, static_cast<std::size_t>(std::ranges::count_if(glob, is_letter))};
}

std::map<std::string, std::string> variables_on(const Case& spec, const std::string& platform) {
  std::map<std::string, std::string> variables = spec.settings.env;
  for (const PlatformVariable& one : spec.on_platforms)
    if (is_for(one.platform, platform)) variables[one.name] = one.value;
  return variables;
}

std::string data_dir_on(const Settings& settings, std::string_view platform) {
  const std::string* folder = most_specific(settings.data_dir, platform);
  return folder == nullptr ? "" : *folder;
}

Size size_on(const Settings& settings, std::string_view platform) {
  Size size{settings.devices, settings.device_list, settings.nodes};
  if (const std::optional<int>* devices = most_specific(settings.devices_on, platform))
    size = {*devices, {}, size.nodes};
  if (const int* nodes = most_specific(settings.nodes_on, platform)) size.nodes = *nodes;
  return size;
}

std::vector<std::string> environments_on(const Settings& settings, std::string_view platform) {
  const std::vector<std::string>* globs = most_specific(settings.environment, platform);
  return globs == nullptr ? std::vector<std::string>() : *globs;
}

std::vector<std::string> needs_on(const Settings& settings, std::string_view platform) {
  const std::string folder = data_dir_on(settings, platform);
  std::vector<std::string> paths;
  const auto add = [&](std::string path) {
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
  };
  if (!folder.empty()) add(folder);
  for (const auto& [glob, needs] : settings.needs)
    if (is_for(glob, platform))
      for (const std::string& need : needs)
        add(folder.empty() || need.starts_with('/') || need.starts_with("./")
                ? need
                : (std::filesystem::path(folder) / need).string());
  return paths;
}

}  // namespace gate::config
