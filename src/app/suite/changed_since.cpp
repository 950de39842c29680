#include "app/suite/changed_since.h"

#include <algorithm>
#include <optional>

#include "app/suite/policy_difference.h"
#include "gate/app/git_commit.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

bool is_other_script(const Suite& at_ref, const Suite& tree, const config::CaseScript& found) {
  const config::CaseScript* was = script_of(at_ref.found, found.name);
  if (was == nullptr || was->script != found.script) return true;
  return fs::read_file(at_ref.root / was->script).value_or("") !=
         fs::read_file(tree.root / found.script).value_or("");
}

bool depends_on(const config::Case& spec, const std::set<std::string>& files) {
  return std::ranges::any_of(spec.settings.depends, [&](const std::string& glob) {
    return std::ranges::any_of(files, [&](const std::string& file) { return glob_match(glob, file); });
  });
}

// Return the files that differ, if any case asks for them.
Answer<std::set<std::string>> changed_files(const Suite& suite, const std::string& reference) {
  const bool is_asked_for = std::ranges::any_of(
      suite.cases, [](const config::Case& spec) { return !spec.settings.depends.empty(); });
  if (!is_asked_for) return std::set<std::string>{};
  GATE_TRY(const GitCommit commit, GitCommit::find(suite.root, reference));
  return commit.changed();
}

}  // namespace

Answer<std::set<std::string>> touched_since(const Suite& suite, const std::string& reference) {
  const Suite& tree = suite.trusted ? suite.trusted->tree : suite;
  GATE_TRY(const Suite at_ref, suite_at_ref(tree, reference));
  GATE_TRY(const std::set<std::string> files, changed_files(suite, reference));
  std::set<std::string> touched;
  for (const BaselineDifference& one : baseline_differences(at_ref, tree)) touched.insert(one.case_name);
  for (const config::CaseScript& one : at_ref.found)
    if (script_of(tree.found, one.name) == nullptr) touched.insert(one.name);
  const bool is_all = !suite_differences(at_ref, tree).empty();
  for (const config::Case& spec : suite.cases) {
    const config::CaseScript found{spec.name, spec.script};
    GATE_TRY(const auto different, case_differences(at_ref, tree, spec.name));
    if (is_all || is_other_script(at_ref, tree, found) || !different.empty() || depends_on(spec, files))
      touched.insert(spec.name);
  }
  return touched;
}

}  // namespace gate::app
