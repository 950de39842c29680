#include "gate/suite/told_places.h"

#include <algorithm>
#include <map>

#include "gate/base/object_place.h"
#include "gate/base/secrets.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/case_names.h"

namespace gate::app {

namespace {

// Where `{env.NAME}` begins a place, its value may be a whole path or a URL; nothing leads out of a place,
// and no value is told anything again.
Result<std::string> told_variable(const config::Case& spec, const std::string& name, bool is_begin) {
  const auto& own = spec.settings.env;
  const std::map<std::string, std::string> variables = own.contains(name) ? own : own_variables();
  const auto found = variables.find(name);
  if (found == variables.end() || found->second.empty())
    return fail("nothing tells its env." + name + "; set " + name);
  const std::string& value = found->second;
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || c == '{' || c == '}';
  };
  const std::vector<std::string_view> parts = split(value, '/');
  if (std::ranges::any_of(value, is_bad) || std::ranges::find(parts, "..") != parts.end() ||
      (!is_begin && value.starts_with('/')))
    return fail(name + " is \"" + printable(without_place_secrets(value), 120) + "\", which is no " +
                (is_begin ? "place" : "part of one") + ": no .., braces or control characters");
  return value;
}

Result<std::string> with_variables(const config::Case& spec, const std::string& place) {
  std::map<std::string, std::string> values;
  for (const std::string& hole : config::holes_of(place))
    if (const std::string_view name = config::variable_of_hole(hole); !name.empty()) {
      const bool is_begin = place.starts_with("{" + hole + "}");
      auto value = told_variable(spec, std::string(name), is_begin);
      if (!value) return fail(place + ": " + value.error().message);
      values.emplace("{" + hole + "}", *std::move(value));
    }
  std::string told = place;
  for (const auto& [hole, value] : values)
    for (std::size_t at = told.find(hole); at != std::string::npos; at = told.find(hole, at + value.size()))
      told.replace(at, hole.size(), value);
  return told;
}

}  // namespace

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
  return with_variables(spec, place);
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
