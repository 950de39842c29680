#include "gate/suite/git_commit.h"

#include "gate/base/text.h"
#include "gate/launch/tool.h"
#include "gate/suite/git.h"
#include "suite/git_output.h"
#include "suite/temp_folder.h"

namespace gate::app {

namespace {

constexpr Duration git_limit = std::chrono::minutes(2);
constexpr std::size_t most_told = std::size_t{256} << 20;  // bytes
constexpr std::string_view lfs_mark = "version https://git-lfs.github.com/spec/";

// Return what is fetched for the reference: `main` of `origin/main`.
std::string fetched(const std::string& reference) {
  constexpr std::string_view remote = "origin/";
  return shell_quote(reference.starts_with(remote) ? reference.substr(remote.size()) : reference);
}

std::string not_here(const std::string& reference) {
  return printable(reference, 120) +
         " is no commit that is here, as in a shallow clone; fetch it: git fetch --depth=1 origin " +
         fetched(reference) + ", and name FETCH_HEAD";
}

// Take a part up to the character off the text.
std::string_view take_to(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return part;
}

std::pair<std::string, GitCommit::Entry> read_entry_line(std::string_view line) {
  const std::string_view mode = take_to(line, ' ');
  take_to(line, ' ');
  const std::string_view object = take_to(line, '\t');
  const GitCommit::Kind kind = mode == "120000"   ? GitCommit::Kind::link
                               : mode == "160000" ? GitCommit::Kind::submodule
                                                  : GitCommit::Kind::file;
  return {std::string(line), {kind, std::string(object)}};
}

// Tell which submodule the path lies in; "" if in none.
std::string submodule_around(const std::map<std::string, GitCommit::Entry>& entries,
                             const std::string& path) {
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const auto entry = entries.find(path.substr(0, end));
    if (entry != entries.end() && entry->second.kind == GitCommit::Kind::submodule) return entry->first;
  }
  return "";
}

}  // namespace

std::map<std::string, GitCommit::Entry> read_tree(std::string_view told) {
  std::map<std::string, GitCommit::Entry> entries;
  for (const std::string_view line : split(told, '\0'))
    if (auto entry = read_entry_line(line); !entry.first.empty()) entries.insert(std::move(entry));
  return entries;
}

std::optional<std::string> next_content(std::string_view& told) {
  const std::vector<std::string_view> words = split_words(take_to(told, '\n'));
  const auto size = words.size() == 3 && words[1] == "blob" ? parse_integer(words[2]) : std::nullopt;
  if (!size || *size < 0 || told.size() <= static_cast<std::size_t>(*size)) return std::nullopt;
  std::string content(told.substr(0, static_cast<std::size_t>(*size)));
  told.remove_prefix(content.size() + 1);
  return content;
}

std::vector<std::string> git_words(const fs::Path& folder, const std::vector<std::string>& words) {
  std::vector<std::string> all{"env"};
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"})
    all.insert(all.end(), {"-u", name});
  all.insert(all.end(), {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1",
                         "LC_ALL=C", "git", "-C", folder.string(), "-c", "core.hooksPath=/dev/null"});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

ToolAnswer ask_git(const fs::Path& folder, const std::vector<std::string>& words, const fs::Path& input) {
  std::vector<std::string> all;
  if (!input.empty()) all = {"sh", "-c", "exec \"$@\" <\"$0\"", input.string()};
  const std::vector<std::string> git = git_words(folder, words);
  all.insert(all.end(), git.begin(), git.end());
  return launch::ask_tool(all, git_limit, most_told);
}

std::string git_failure(const ToolAnswer& answer) {
  if (answer.output.size() >= most_told) return "it tells more than gate reads";
  return printable(answer.failure.empty() ? std::string(trim(answer.errors)) : answer.failure, 400);
}

Answer<std::string> GitCommit::output_of(const std::vector<std::string>& words, const fs::Path& input) const {
  ToolAnswer answer = ask_git(folder_, words, input);
  if (answer.exit_code == 0 && answer.output.size() < most_told) return std::move(answer.output);
  return usage(printable(reference_, 120) + ": git " + words.front() + " fails in " + folder_.string() +
               ": " + git_failure(answer));
}

Answer<GitCommit> GitCommit::find(const fs::Path& folder, const std::string& reference) {
  GitCommit commit(folder, reference);
  GATE_TRY(const std::string prefix, commit.output_of({"rev-parse", "--show-prefix"}));
  commit.prefix_ = trim(prefix);
  const ToolAnswer answer = ask_git(folder, {"-c", "core.warnAmbiguousRefs=true", "rev-parse", "--verify",
                                             "--end-of-options", reference + "^{commit}"});
  if (answer.errors.find("is ambiguous") != std::string::npos)
    return usage(printable(reference, 120) +
                 " names a branch and a tag, or two of either: write it whole, as "
                 "refs/heads/main or refs/remotes/origin/main");
  commit.id_ = trim(answer.output);
  if (answer.exit_code != 0 || !is_commit(commit.id_)) return usage(not_here(reference));
  return commit;
}

std::optional<std::string> GitCommit::path_in_tree(const std::string& path) const {
  const fs::Path whole = (fs::Path(prefix_) / path).lexically_normal();
  if (whole.is_absolute() || (!whole.empty() && *whole.begin() == "..")) return std::nullopt;
  return whole == "." ? std::string() : whole.generic_string();
}

Answer<std::map<std::string, GitCommit::Entry>> GitCommit::entries() const {
  GATE_TRY(const std::string told, output_of({"ls-tree", "-r", "-z", "--full-tree", id_}));
  return read_tree(told);
}

Answer<std::map<std::string, std::string>> GitCommit::read(const std::vector<std::string>& paths) const {
  GATE_TRY(const auto entries, this->entries());
  std::vector<std::string> found;
  std::string objects;
  for (const std::string& path : paths) {
    const std::string named = printable(reference_ + ":" + path, 200);
    const std::string whole = path_in_tree(path).value_or("");
    if (const std::string submodule = submodule_around(entries, whole); !submodule.empty())
      return usage(named + " lies in the submodule " + printable(submodule, 120) +
                   ", of which the commit holds no file");
    const auto entry = entries.find(whole);
    if (entry == entries.end()) continue;
    if (entry->second.kind != Kind::file)
      return usage(named + " is a " + (entry->second.kind == Kind::link ? "symbolic link" : "submodule") +
                   "; gate reads files of a commit alone");
    found.push_back(path);
    objects += entry->second.object + "\n";
  }
  GATE_TRY(const TempFolder folder, or_infra(TempFolder::make()));
  const fs::Path input = folder.path() / "objects";
  if (const Status written = fs::write_file(input, objects, fs::Survives::kill); !written)
    return infra(written.error());
  GATE_TRY(const std::string told, output_of({"cat-file", "--batch"}, input));
  std::map<std::string, std::string> contents;
  std::string_view rest = told;
  for (const std::string& path : found) {
    std::optional<std::string> content = next_content(rest);
    const std::string named = printable(reference_ + ":" + path, 200);
    if (!content) return usage(named + " is not here; " + not_here(reference_));
    if (content->starts_with(lfs_mark))
      return usage(named + " is a pointer of Git LFS; gate reads what the commit itself holds");
    contents.emplace(path, std::move(*content));
  }
  return contents;
}

Answer<std::set<std::string>> GitCommit::changed() const {
  std::set<std::string> names;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"diff", "--name-only", "--no-renames", "--no-ext-diff",
                                 "--ignore-submodules=none", "-z", id_, "--"},
        std::vector<std::string>{"ls-files", "-z", "--others", "--exclude-standard"}}) {
    const ToolAnswer answer = ask_git(git_root(folder_), words);
    if (answer.exit_code != 0 || answer.output.size() >= most_told)
      return usage("git " + words.front() + " fails: " + git_failure(answer));
    for (const std::string_view name : split(answer.output, '\0'))
      if (!name.empty()) names.emplace(name);
  }
  return names;
}

}  // namespace gate::app
