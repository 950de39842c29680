#include "gate/suite/changed_since.h"

#include <algorithm>
#include <filesystem>

#include "gate/base/text.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"
#include "gate/suite/told_places.h"
#include "suite/policy_difference.h"

namespace gate::app {

namespace {

bool is_other_script(const Suite& at_ref, const Suite& tree, const config::CaseScript& found) {
  const config::CaseScript* was = script_of(at_ref.found, found.name);
  if (was == nullptr || was->script != found.script) return true;
  return fs::read_file(at_ref.root / was->script).value_or("") !=
         fs::read_file(tree.root / found.script).value_or("");
}

// Tell whether the figure that the case is bound to was another one.
bool is_other_reference(const Suite& at_ref, const config::Case& spec) {
  const config::Case* was = at_ref.find(spec.name);
  const auto figure = [](const config::Case* one) {
    const bool has = one != nullptr && one->reference && one->reference->reference;
    return has ? one->reference->reference->to_string() + " " + one->reference->unit : std::string();
  };
  return figure(was) != figure(&spec);
}

bool is_other_patch(const Suite& at_ref, const config::Case& spec) {
  const config::Case* was = at_ref.find(spec.name);
  return was != nullptr && was->settings.kubernetes.patched != spec.settings.kubernetes.patched;
}

// Of a submodule git names its folder alone.
bool is_meant(const std::string& glob, const std::string& file) {
  return glob_match(glob, file) || glob.starts_with(file + "/");
}

// Return the files and folders of the git tree, seen from its top, that the case's download stage brings, as
// far as that is told before a run.
std::vector<std::string> brought_by(const Suite& suite, const config::Case& spec) {
  std::vector<std::string> paths;
  const std::vector<fs::Path> whole = downloaded_paths(suite, spec);
  if (whole.empty()) return paths;
  const fs::Path top = fs::whole_path(git_root(suite.root));
  for (const fs::Path& path : whole)
    if (fs::is_within(path, top)) paths.push_back(path.lexically_relative(top).string());
  return paths;
}

bool is_below(const std::string& file, const std::string& path) {
  return path == "." || file == path || file.starts_with(path + "/");
}

// Files are seen from the top of the git tree.
bool depends_on(const Suite& suite, const config::Case& spec, const std::set<std::string>& files) {
  if (files.empty()) return false;
  const std::vector<std::string> brought = brought_by(suite, spec);
  return std::ranges::any_of(files, [&](const std::string& file) {
    return std::ranges::any_of(brought, [&](const auto& path) { return is_below(file, path); }) ||
           std::ranges::any_of(spec.settings.depends, [&](const auto& glob) { return is_meant(glob, file); });
  });
}

Answer<std::set<std::string>> files_of_tree(const fs::Path& top) {
  const ToolAnswer answer = ask_git(top, {"ls-files", "-z", "--cached", "--others", "--exclude-standard"});
  if (answer.exit_code != 0) return usage("git ls-files fails: " + git_failure(answer));
  std::set<std::string> files;
  for (const std::string_view name : split(answer.output, '\0'))
    if (!name.empty()) files.emplace(name);
  return files;
}

Error wrong_glob(const config::Case& spec, const std::string& glob, const std::string& why) {
  return {"depends of case " + spec.name + ": \"" + printable(glob, 120) + "\" " + why};
}

// Git names a link to a folder, and no file below it. What changed where it leads in the tree changed below
// the link, too; what lies out of the tree nobody can tell of.
Answer<void> follow_links(const Suite& suite, const fs::Path& top, const std::set<std::string>& files,
                          std::set<std::string>& changed) {
  for (const std::string& link : files) {
    std::error_code unknown;
    if (!std::filesystem::is_symlink(top / link, unknown) || !fs::is_folder(top / link)) continue;
    if (const fs::Path target = fs::whole_path(top / link); fs::is_within(target, top)) {
      const std::string below = target.lexically_relative(fs::whole_path(top)).string() + "/";
      for (const std::string& file : std::set<std::string>(changed))
        if (file.starts_with(below)) changed.insert(link + "/" + file.substr(below.size()));
      continue;
    }
    const std::vector<std::string> beyond = fs::files_below(top / link);
    for (const config::Case& spec : suite.cases)
      for (const std::string& glob : spec.settings.depends)
        if (std::ranges::any_of(beyond,
                                [&](const auto& file) { return glob_match(glob, link + "/" + file); }))
          return usage(wrong_glob(spec, glob,
                                  "leads through the link " + link +
                                      " out of the git tree, where git sees no change; name "
                                      "files of the tree"));
  }
  return {};
}

// A glob that no file has is a mistake: nothing would ever touch its case.
Answer<void> check_globs(const Suite& suite, const std::set<std::string>& files) {
  for (const config::Case& spec : suite.cases)
    for (const std::string& glob : spec.settings.depends)
      if (std::ranges::none_of(files, [&](const std::string& file) { return is_meant(glob, file); }))
        return usage(wrong_glob(spec, glob, "is no file of the git tree; files below a folder are src/**"));
  return {};
}

// Return the files that differ, if any case asks for them.
Answer<std::set<std::string>> changed_files(const Suite& suite, const std::string& reference) {
  const bool is_asked_for = std::ranges::any_of(suite.cases, [&](const config::Case& spec) {
    return !spec.settings.depends.empty() || !brought_by(suite, spec).empty();
  });
  if (!is_asked_for) return std::set<std::string>{};
  const fs::Path top = git_root(suite.root);
  GATE_TRY(const GitCommit commit, GitCommit::find(suite.root, reference));
  GATE_TRY(std::set<std::string> changed, commit.changed());
  GATE_TRY(std::set<std::string> files, files_of_tree(top));
  GATE_TRY_STATUS(follow_links(suite, top, files, changed));
  files.insert(changed.begin(), changed.end());
  GATE_TRY_STATUS(check_globs(suite, files));
  return changed;
}

// A strategy that chooses otherwise may judge what was not judged.
bool is_other_strategy(const Suite& suite, const Suite& at_ref) {
  if (!suite.strategy) return false;
  const config::Strategy& now = suite.strategy->strategy;
  const auto was = config::find_strategy(at_ref.policy.strategies(), now.name);
  return !was || was->cases != now.cases || was->tags != now.tags || was->outputs != now.outputs ||
         was->stages != now.stages;
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
  const bool is_all = !suite_differences(at_ref, tree).empty() || is_other_strategy(suite, at_ref);
  for (const config::Case& spec : suite.cases) {
    const config::CaseScript found{spec.name, spec.script};
    GATE_TRY(const auto different, case_differences(at_ref, tree, spec.name));
    if (is_all || is_other_script(at_ref, tree, found) || !different.empty() ||
        depends_on(suite, spec, files) || is_other_reference(at_ref, spec) || is_other_patch(at_ref, spec))
      touched.insert(spec.name);
  }
  return touched;
}

}  // namespace gate::app
