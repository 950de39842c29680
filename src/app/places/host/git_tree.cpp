#include "places/host/git_tree.h"

#include <set>
#include <string>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"

namespace gate::app {

namespace {

constexpr std::size_t most_names = std::size_t{256} << 20;  // in bytes

std::optional<fs::Path> below_in_words(const fs::Path& path, const fs::Path& folder) {
  fs::Path below = path.lexically_normal().lexically_relative(folder.lexically_normal());
  if (below.empty() || *below.begin() == "..") return std::nullopt;
  return below;
}

Answer<std::set<std::string>> tracked_names(const fs::Path& root) {
  const ToolAnswer answer = ask_git(root, {"ls-files", "-z", "--recurse-submodules"});
  if (answer.exit_code != 0)
    return infra("[hosts] sync: git ls-files fails in " + root.string() + ": " + git_failure(answer));
  if (answer.output.size() >= most_names)
    return infra("[hosts] sync: " + root.string() + " has more files than can be sent");
  std::set<std::string> names;
  for (const std::string_view name : split(answer.output, '\0'))
    if (!name.empty()) names.emplace(name);
  return names;
}

enum class Links { kept, followed };

// What stands under the name; nothing where it is neither file nor link.
Result<std::optional<hosts::TreeEntry>> read_entry(const fs::Path& root, const std::string& name,
                                                   Links links) {
  const fs::Path path = root / name;
  std::error_code error;
  const auto status = links == Links::kept ? std::filesystem::symlink_status(path, error)
                                           : std::filesystem::status(path, error);
  if (std::filesystem::is_symlink(status)) {
    const fs::Path target = std::filesystem::read_symlink(path, error);
    if (error) return fail(path.string() + ": cannot be read: " + error.message());
    return hosts::TreeEntry{name, hosts::EntryKind::link, target.string()};
  }
  if (!std::filesystem::is_regular_file(status)) return std::nullopt;
  GATE_TRY(const std::string content, fs::read_file(path));
  const bool may_run =
      (status.permissions() & std::filesystem::perms::owner_exec) != std::filesystem::perms::none;
  return hosts::TreeEntry{name, may_run ? hosts::EntryKind::program : hosts::EntryKind::file,
                          fs::sha256(content)};
}

}  // namespace

std::optional<fs::Path> path_below(const fs::Path& path, const fs::Path& folder) {
  if (std::optional<fs::Path> below = below_in_words(path, folder)) return below;
  return below_in_words(fs::whole_path(path), fs::whole_path(folder));
}

Answer<hosts::Tree> read_git_tree(const fs::Path& folder, const std::vector<fs::Path>& further) {
  const fs::Path root = git_root(folder);
  if (root.empty())
    return usage(
        "[hosts] sync: " + folder.string() +
        " lies in no git tree, and what git tracks is what is sent; git init a tree and git add what "
        "the cases need, or leave sync out where the hosts see the same files");
  GATE_TRY(const std::set<std::string> tracked, tracked_names(root));
  std::vector<std::pair<std::string, Links>> names;
  for (const std::string& name : tracked) names.emplace_back(name, Links::kept);
  for (const fs::Path& path : further)
    if (const auto below = path_below(path, root); below && !tracked.contains(below->string()))
      names.emplace_back(below->string(), Links::followed);
  std::vector<Result<std::optional<hosts::TreeEntry>>> read(names.size());
  in_parallel(names.size(), worthwhile_threads(names.size()),
              [&](std::size_t i) { read[i] = read_entry(root, names[i].first, names[i].second); });
  hosts::Tree tree{root, {}};
  for (Result<std::optional<hosts::TreeEntry>>& entry : read) {
    if (!entry) return infra("[hosts] sync: " + entry.error().message);
    if (*entry) tree.entries.push_back(std::move(**entry));
  }
  return tree;
}

}  // namespace gate::app
