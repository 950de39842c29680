#include "gate/suite/git.h"

#include "gate/base/text.h"
#include "gate/suite/git_commit.h"

namespace gate::app {

namespace {

std::string read_trimmed(const fs::Path& path) {
  const Result<std::string> content = fs::read_file(path);
  return content ? std::string(trim(*content)) : "";
}

// Return the git folder: `.git` itself, or where the file `.git` of a worktree points.
fs::Path git_folder(const fs::Path& root) {
  const fs::Path dot_git = root / ".git";
  if (fs::is_folder(dot_git)) return dot_git;
  const std::string link = read_trimmed(dot_git);
  if (!link.starts_with("gitdir: ")) return {};
  return root / link.substr(8);
}

std::string packed_commit(const fs::Path& folder, const std::string& ref) {
  const std::string packed = read_trimmed(folder / "packed-refs");
  for (const std::string_view line : split(packed, '\n'))
    if (line.ends_with(" " + ref)) return std::string(line.substr(0, line.find(' ')));
  return "";
}

}  // namespace

bool is_commit(std::string_view text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

fs::Path git_root(const fs::Path& folder) {
  for (fs::Path at = folder;; at = at.parent_path()) {
    if (fs::exists(at / ".git")) return at;
    if (at == at.parent_path()) return {};
  }
}

// A submodule's git folder lies in that of the tree around it, unless it was a repository of its own before.
// Only git knows of such a one, and is asked where there is a tree around it.
bool is_submodule(const fs::Path& root) {
  const std::string link = read_trimmed(root / ".git");
  if (const std::size_t outer = link.find(".git/"); outer != std::string::npos)
    if (link.find("modules/", outer) != std::string::npos) return true;
  if (root == root.parent_path() || git_root(root.parent_path()).empty()) return false;
  return !trim(ask_git(root, {"rev-parse", "--show-superproject-working-tree"}).output).empty();
}

std::string git_commit(const fs::Path& folder) {
  const fs::Path root = git_root(folder);
  if (root.empty()) return "";
  const fs::Path git = git_folder(root);
  std::string head = read_trimmed(git / "HEAD");
  if (head.starts_with("ref: ")) {
    const std::string ref = head.substr(5);
    const std::string shared = read_trimmed(git / "commondir");  // of all worktrees
    const fs::Path common = shared.empty() ? git : git / shared;
    head = read_trimmed(common / ref);
    if (head.empty()) head = packed_commit(common, ref);
  }
  return is_commit(head) ? head : "";
}

Sentence uncommitted_words(const fs::Path& folder) {
  const std::string commit = git_commit(folder);
  if (commit.empty()) return {};
  const ToolAnswer answer =
      ask_git(git_root(folder), {"diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", "HEAD", "--"});
  std::vector<std::string> files;
  for (const std::string_view name : split(answer.output, '\0'))
    if (!name.empty()) files.push_back(printable(name, 120));
  if (answer.exit_code != 0 || files.empty()) return {};
  return say({"commit {}, with uncommitted changes: {}", "提交 {}，另有未提交的改动：{}"},
             short_commit(commit), listed(files, 3));
}

}  // namespace gate::app
