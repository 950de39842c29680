#include "gate/suite/told_places.h"

#include <map>

#include "gate/base/object_place.h"

namespace gate::app {

Result<std::string> told_in_place(const Suite& suite, const config::Case& spec, const std::string& run,
                                  std::string place) {
  const auto& contract = suite.contract;
  const std::map<std::string, std::string> told{
      {"case", spec.name},
      {"run", run},
      {"test_id", contract && !contract->test_id.empty() ? contract->test_id : run},
      {"baseline_id", contract ? contract->baseline_id : ""}};
  for (const auto& [name, value] : told) {
    const std::string hole = "{" + name + "}";
    if (place.find(hole) == std::string::npos) continue;
    if (value.empty())
      return fail(place + ": nothing tells its " + name + (name == "baseline_id" ? "; set BASELINE_ID" : ""));
    for (std::size_t at = place.find(hole); at != std::string::npos; at = place.find(hole, at + value.size()))
      place.replace(at, hole.size(), value);
  }
  return place;
}

std::string from_suite(const Suite& suite, std::string path) {
  const std::string root = (folder_of_files(suite.layout) / "").lexically_normal().string();
  if (!path.starts_with(root)) return path;
  return (suite.trusted ? suite.trusted->at_ref.read_from : "") + path.substr(root.size());
}

std::vector<std::string> downloaded_places(const Suite& suite, const config::Case& spec) {
  std::vector<std::string> places;
  const auto download = spec.settings.stages.find(std::string(to_string(Stage::download)));
  if (download == spec.settings.stages.end()) return places;
  for (const std::string& place : download->second.from)
    if (Result<std::string> told = told_in_place(suite, spec, "", place)) places.push_back(std::move(*told));
  return places;
}

std::vector<fs::Path> downloaded_paths(const Suite& suite, const config::Case& spec) {
  std::vector<fs::Path> paths;
  for (const std::string& place : downloaded_places(suite, spec))
    if (const auto path = config::path_of_place(place); path && !is_object_place(place))
      paths.push_back(fs::whole_path(suite.root / *path));
  return paths;
}

}  // namespace gate::app
