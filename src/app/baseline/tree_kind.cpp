#include "app/baseline/tree_kind.h"

#include <algorithm>
#include <array>
#include <set>

namespace gate::app {

namespace {

const std::array kinds{
    TreeKind{"a checkout of the ModelLink / MindSpeed family", "tests/st/shell_scripts/",
             "tests/st/baseline_results/{case}.json", "", ""},
    TreeKind{"a Megatron-LM checkout", "tests/gate/", "", "tests/functional_tests/test_cases/", "megatron"},
    TreeKind{"a folder with scripts", "scripts/", "", "", ""},
};

bool has_file(const fs::Path& folder, const std::string& below, const std::string& part,
              const std::string& end) {
  return std::ranges::any_of(fs::files_below(folder / below), [&](const std::string& file) {
    return file.ends_with(end) && file.find(part) != std::string::npos;
  });
}

bool is_kind(const fs::Path& folder, const TreeKind& kind) {
  return kind.golden.empty() ? has_file(folder, kind.scripts, "", ".sh")
                             : has_file(folder, kind.golden, "golden_values_", ".json");
}

std::vector<std::string> places_of(const TreeKind& kind) {
  const std::string baselines = kind.baselines.empty() ? "baselines/" : kind.baselines;
  return {kind.scripts, baselines.substr(0, baselines.find('{')), kind.golden};
}

}  // namespace

std::vector<const TreeKind*> tree_kinds(const fs::Path& folder) {
  std::vector<const TreeKind*> here;
  for (const TreeKind& kind : kinds)
    if (is_kind(folder, kind)) here.push_back(&kind);
  return here;
}

std::vector<std::string> unread_places(const fs::Path& folder) {
  std::set<std::string> unread;
  for (const TreeKind& kind : kinds)
    for (const std::string& place : places_of(kind)) {
      if (place.empty()) continue;
      for (const std::string& below : fs::list_below(folder / place).unread)
        unread.insert((fs::Path(place) / below / "").lexically_normal().generic_string());
    }
  return {unread.begin(), unread.end()};
}

std::string known_trees() {
  std::string names;
  for (const TreeKind& kind : kinds)
    names += (names.empty() ? "" : ", ") + (kind.golden.empty() ? kind.scripts + "*.sh" : kind.golden);
  return names;
}

}  // namespace gate::app
