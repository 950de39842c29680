#include "app/shards/run_files.h"

#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace gate::app {

namespace {

// Return the ends of the path that begin with the name of the case, the longest first.
std::vector<std::string> ends_from_case(const std::string& path, const std::string& case_name) {
  std::vector<std::string> ends;
  const std::string part = case_name + "/";
  for (std::size_t at = path.find(part); at != std::string::npos; at = path.find(part, at + 1))
    if (at == 0 || path[at - 1] == '/') ends.push_back(path.substr(at));
  return ends;
}

std::optional<std::string> found(const std::string& path, const std::string& case_name,
                                 const fs::Path& folder) {
  const auto is_there = [&](const fs::Path& one) { return fs::exists(one) && fs::is_within(one, folder); };
  if (is_there(path)) return path;
  for (const std::string& end : ends_from_case(path, case_name))
    if (is_there(folder / end)) return (folder / end).string();
  return std::nullopt;
}

}  // namespace

void find_files(CaseReport& report, const fs::Path& run_folder) {
  const auto find = [&](std::string& path) {
    if (path.empty()) return true;
    const auto there = found(path, report.name, run_folder);
    const auto ends = ends_from_case(path, report.name);
    if (there || !ends.empty()) path = there.value_or(ends.empty() ? path : ends.back());
    return there.has_value();
  };
  const auto find_in = [&](std::vector<Check>& checks) {
    for (Check& check : checks)
      for (std::optional<Miss>* miss : {&check.first_miss, &check.largest})
        if (*miss) find((*miss)->file);
  };
  for (auto it = report.artifacts.begin(); it != report.artifacts.end();)
    it = find(it->second) ? std::next(it) : report.artifacts.erase(it);
  find_in(report.checks);
  if (report.shadow) find_in(report.shadow->checks);
  if (report.cause) find(report.cause->file);
  for (Problem& problem : report.problems) find(problem.file);
}

}  // namespace gate::app
