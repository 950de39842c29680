#include "app/tree_kind.h"

#include <algorithm>
#include <array>

namespace gate::app {

namespace {

const std::array kinds{
    TreeKind{"a checkout of the ModelLink / MindSpeed family", "tests/st/shell_scripts/",
             "tests/st/baseline_results/{case}.json", "", ""},
    TreeKind{"a Megatron-LM checkout", "tests/gate/", "", "tests/functional_tests/test_cases/", "megatron"},
    TreeKind{"a folder with scripts", "scripts/", "", "", ""},
};

bool holds(const fs::Path& folder, const std::string& below, const std::string& part,
           const std::string& end) {
  return std::ranges::any_of(fs::files_below(folder / below), [&](const std::string& file) {
    return file.ends_with(end) && file.find(part) != std::string::npos;
  });
}

bool is_kind(const fs::Path& folder, const TreeKind& kind) {
  return kind.golden.empty() ? holds(folder, kind.scripts, "", ".sh")
                             : holds(folder, kind.golden, "golden_values_", ".json");
}

}  // namespace

const TreeKind* tree_kind(const fs::Path& folder) {
  const auto kind = std::ranges::find_if(kinds, [&](const TreeKind& one) { return is_kind(folder, one); });
  return kind == kinds.end() ? nullptr : &*kind;
}

std::string known_trees() {
  std::string names;
  for (const TreeKind& kind : kinds)
    names += (names.empty() ? "" : ", ") + (kind.golden.empty() ? kind.scripts + "*.sh" : kind.golden);
  return names;
}

}  // namespace gate::app
