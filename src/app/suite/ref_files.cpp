#include "suite/ref_files.h"

#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"
#include "gate/suite/published.h"

namespace gate::app {

namespace {

using CommitEntries = std::map<std::string, GitCommit::Entry>;

// Return the folder from the top of the repository, with a slash at its end; "" is the top.
Answer<std::string> folder_in_tree(const GitCommit& commit, const std::string& folder) {
  std::optional<std::string> whole = commit.path_in_tree(folder);
  if (!whole)
    return usage(printable(folder, 120) + " lies outside the git tree, and " +
                 printable(commit.reference(), 120) + " has no file of it");
  if (!whole->empty() && !whole->ends_with('/')) *whole += '/';
  return *whole;
}

// Fail where a link or a submodule stands in place of the folder, or a submodule in it: followed, it would be
// read from the tree (decision 43).
Answer<void> check_plain(const GitCommit& commit, const CommitEntries& entries, const std::string& folder) {
  for (const auto& [path, entry] : entries) {
    const bool is_submodule = entry.kind == GitCommit::Kind::submodule;
    const bool is_around = entry.kind != GitCommit::Kind::file && folder.starts_with(path + "/");
    const bool is_within = is_submodule && !folder.empty() && path.starts_with(folder);
    if (is_around || is_within)
      return usage(printable(commit.reference() + ":" + path, 200) + " is a " +
                   (is_submodule ? "submodule" : "symbolic link") +
                   ", and what it leads to is not in the commit: scripts and baselines must be files of it");
  }
  return {};
}

// Return the paths, seen from the suite, of what the commit holds below the folder.
Answer<std::vector<std::string>> paths_below(const GitCommit& commit, const CommitEntries& entries,
                                             const std::string& folder) {
  GATE_TRY(const std::string whole, folder_in_tree(commit, folder));
  GATE_TRY_STATUS(check_plain(commit, entries, whole));
  std::vector<std::string> paths;
  for (auto entry = entries.lower_bound(whole); entry != entries.end() && entry->first.starts_with(whole);
       ++entry)
    paths.push_back(folder + entry->first.substr(whole.size()));
  return paths;
}

Answer<config::Policy> policy_of(const std::string& text, const std::string& label) {
  config::Parsed<config::Policy> policy = config::Policy::parse(text, label);
  if (!policy) return usage(to_string(policy.error()));
  return std::move(*policy);
}

// Return the paths of the commit that are below the folders before the patterns' holes, and end as these do
// where `by_ending`.
Answer<std::vector<std::string>> paths_for(const GitCommit& commit, const CommitEntries& entries,
                                           const std::vector<std::string>& patterns, bool by_ending) {
  std::set<std::string> all;
  for (const std::string& pattern : patterns) {
    const std::string ending = fs::Path(pattern).extension().string();
    GATE_TRY(const auto below, paths_below(commit, entries, fs::folder_before_hole(pattern)));
    for (const std::string& path : below)
      if (!by_ending || path.ends_with(ending)) all.insert(path);
  }
  return std::vector<std::string>(all.begin(), all.end());
}

// Return the globs of all groups, or the paths of their baselines.
std::vector<std::string> patterns_of(const config::Policy& policy,
                                     std::vector<std::string> config::CaseGroup::*member) {
  std::vector<std::string> patterns;
  for (const config::CaseGroup& group : policy.groups())
    patterns.insert(patterns.end(), (group.*member).begin(), (group.*member).end());
  return patterns;
}

Answer<void> write_files(const GitCommit& commit, const std::map<std::string, std::string>& texts,
                         const fs::Path& folder) {
  for (const auto& [path, text] : texts)
    if (const Status written =
            fs::write_file(folder / commit.path_in_tree(path).value_or(""), text, fs::Survives::kill);
        !written)
      return infra(written.error());
  return {};
}

// Fail where the commit has another suite for the folder that the tree's was looked for from, or none that is
// of this repository: it would be judged by what is not its own.
Answer<void> check_same_suite(const GitCommit& commit, const CommitEntries& entries, const Suite& tree) {
  const std::string ref = printable(commit.reference(), 120);
  if (const ToolAnswer around = ask_git(tree.root, {"rev-parse", "--show-superproject-working-tree"});
      !trim(around.output).empty())
    return usage(tree.root.string() +
                 " lies in a submodule, whose commits are not those of the tree around it: " + ref +
                 " is none of these; run gate from the outer repository");
  const fs::Path below = fs::Path(commit.path_in_tree("").value_or("")) / "";
  if ((git_root(tree.root) / below).lexically_normal() != (tree.root / "").lexically_normal())
    return usage(tree.root.string() +
                 " is reached by a symbolic link of the repository; name the folder that "
                 "it leads to");
  for (fs::Path at = tree.asked_for; fs::is_within(at, tree.root) && at != tree.root; at = at.parent_path()) {
    const std::string config = (at.lexically_relative(tree.root) / "gate.toml").generic_string();
    if (entries.contains(commit.path_in_tree(config).value_or("")))
      return usage(ref + " has a suite of its own in " + at.string() +
                   ", and the tree has not: restore its " + config);
  }
  return {};
}

}  // namespace

Answer<RefFiles> files_at_ref(const Suite& tree, const std::string& reference) {
  GATE_TRY(const GitCommit commit, GitCommit::find(tree.root, reference));
  GATE_TRY(const CommitEntries entries, commit.entries());
  GATE_TRY_STATUS(check_same_suite(commit, entries, tree));
  const std::string config = tree.config.filename().string();
  GATE_TRY(const auto config_text, commit.read({config}));
  const bool has_config = config_text.contains(config);
  if (!has_config && config != "gate.toml")
    return usage(printable(reference, 120) + " has no " + printable(config, 120) + ", which --config names");
  const std::string text = has_config ? config_text.at(config) : "";
  GATE_TRY(config::Policy policy, policy_of(text, reference + ":" + config));
  const std::vector<std::string> globs = patterns_of(policy, &config::CaseGroup::cases);
  GATE_TRY(const auto below, paths_for(commit, entries, globs, false));
  auto found = policy.find_cases(below, tree.overrides);
  if (!found) return usage(to_string(found.error()));
  std::vector<config::CaseScript>& scripts = *found;
  if (scripts.empty() && !has_config)
    return usage(printable(reference, 120) + " holds no suite here: neither " + printable(config, 120) +
                 " nor a script " + join(globs, ", "));
  std::vector<std::string> patterns = patterns_of(policy, &config::CaseGroup::baselines);
  if (std::ranges::any_of(policy.groups(), [](const auto& group) { return group.baselines.empty(); }))
    patterns.push_back(store::BaselineScheme{}.path_template);
  GATE_TRY(std::vector<std::string> paths, paths_for(commit, entries, patterns, true));
  for (const config::CaseScript& script : scripts) paths.push_back(script.script);
  paths.emplace_back(references_name);
  GATE_TRY(const auto texts, commit.read(paths));
  GATE_TRY(TempFolder folder, or_infra(TempFolder::make()));
  const fs::Path root = folder.path() / commit.path_in_tree("").value_or("");
  GATE_TRY_STATUS(write_files(commit, texts, folder.path()));
  return RefFiles{commit.id(),
                  std::move(policy),
                  text,
                  std::move(scripts),
                  std::make_shared<const TempFolder>(std::move(folder)),
                  root};
}

Answer<void> add_files_at_ref(const Suite& tree, const std::string& reference,
                              const std::vector<std::string>& paths, const fs::Path& root) {
  if (paths.empty()) return {};
  GATE_TRY(const GitCommit commit, GitCommit::find(tree.root, reference));
  std::vector<std::string> all = paths;
  const auto open = std::partition(
      all.begin(), all.end(), [](const std::string& path) { return path.find('{') == std::string::npos; });
  if (open != all.end()) {
    GATE_TRY(const CommitEntries entries, commit.entries());
    GATE_TRY(const auto below, paths_for(commit, entries, {open, all.end()}, true));
    all.erase(open, all.end());
    all.insert(all.end(), below.begin(), below.end());
  }
  GATE_TRY(const auto texts, commit.read(all));
  for (const auto& [path, text] : texts)
    if (const Status written = fs::write_file(root / path, text, fs::Survives::kill); !written)
      return infra(written.error());
  return {};
}

}  // namespace gate::app
