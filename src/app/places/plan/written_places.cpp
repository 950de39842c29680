#include "gate/places/written_places.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/store/run_folder.h"
#include "gate/suite/told_places.h"

namespace gate::app {

namespace {

// Return which of the folders of scripts and baselines below the suite's a path lies in; "" if in none.
std::string folder_around(const Suite& suite, const fs::Path& path) {
  std::set<std::string> folders;
  for (const config::CaseGroup& group : suite.policy.groups())
    for (const std::string& glob : group.cases) folders.insert(fs::folder_before_hole(glob));
  for (const store::BaselineScheme& scheme : suite.layout.schemes)
    folders.insert(fs::folder_before_hole(scheme.path_template));
  for (const config::Case& one : suite.cases) folders.insert(one.script.substr(0, one.script.rfind('/') + 1));
  folders.erase("");
  for (const std::string& folder : folders)
    if (fs::is_within(path, suite.root / folder)) return folder;
  return "";
}

std::set<std::string> golden_objects(const Suite& suite, const IdentityOfObject& identity) {
  std::set<std::string> all;
  for (const config::Case& spec : suite.cases)
    for (const auto& [name, output] : spec.settings.outputs)
      for (const std::string& golden : output.golden)
        if (const auto told = told_in_place(suite, spec, "", golden); told && is_object_place(golden))
          all.insert(identity(*told));
  return all;
}

Answer<void> check_object_reports(const Suite& suite, const std::vector<std::string>& paths,
                                  const IdentityOfObject& identity) {
  if (std::ranges::none_of(paths, is_object_place)) return {};
  const std::set<std::string> golden = golden_objects(suite, identity);
  std::set<std::string> objects;
  for (const std::string& path : paths) {
    if (!is_object_place(path)) continue;
    const std::string object = identity(path), name = printable(path, 120);
    if (golden.contains(object)) return usage(name + " is a golden file; write the report elsewhere");
    if (!objects.insert(object).second)
      return usage(name + ": two reports are to be written there; name an object for each");
  }
  return {};
}

}  // namespace

Answer<void> check_out(const Suite& suite, const std::string& out) {
  if (out.empty()) return {};
  const std::string name = "--out " + printable(out, 120);
  if (const std::string folder = folder_around(suite, out); !folder.empty())
    return usage(name + " lies in " + folder +
                 ", where the suite has its scripts or baselines; name another folder");
  const fs::Path own = fs::whole_path(suite.root / ".gate"), path = fs::whole_path(out);
  if (path == own || path == own / "runs" || path == own / "candidates")
    return usage(name + " holds more than one run; name another folder");
  if (!fs::is_taken(out)) return {};
  if (!fs::is_folder(out)) return usage(name + " is no folder; name another one");
  if (!store::is_for_a_run(out)) return usage(name + " holds what no run of gate left; name another folder");
  return {};
}

Answer<void> check_reports(const Suite& suite, const std::vector<std::string>& paths, const std::string& out,
                           const IdentityOfObject& identity) {
  constexpr std::array<std::string_view, 6> written_by_runs{"result.json", "log.txt",    "series.json",
                                                            "lock",        "history.db", "evidence.txt"};
  GATE_TRY_STATUS(check_object_reports(suite, paths, identity));
  for (const std::string& path : paths) {
    if (is_object_place(path)) continue;
    const std::string name = printable(path, 120);
    const fs::Path file = fs::whole_path(path);
    if (const std::string folder = folder_around(suite, path); !folder.empty())
      return usage(name + " lies in " + folder +
                   ", where the suite has its scripts or baselines; write the report elsewhere");
    const bool in_run =
        fs::is_within(path, suite.root / ".gate") || (!out.empty() && fs::is_within(path, out));
    const bool is_own =
        in_run && std::ranges::find(written_by_runs, file.filename().string()) != written_by_runs.end();
    if (is_own || file == fs::whole_path(suite.root / "gate.toml"))
      return usage(name + " is a file of the suite's own; write the report elsewhere");
  }
  return {};
}

}  // namespace gate::app
