#include "app/ab/work_trees.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gate/app/git.h"
#include "gate/base/text.h"
#include "gate/launch/runner.h"
#include "gate/launch/tool.h"

namespace gate::app {

namespace {

constexpr Duration limit_of_git = std::chrono::minutes(2);  // for what takes moments

// Return a command of git in the repository, whatever a hook's variables say, that runs no hook itself.
std::vector<std::string> git_words(const fs::Path& repository, const std::vector<std::string>& words) {
  std::vector<std::string> all{"env"};
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"})
    all.insert(all.end(), {"-u", name});
  all.insert(all.end(), {"git", "-C", repository.string(), "-c", "core.hooksPath=/dev/null"});
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

ToolAnswer ask_git(const fs::Path& repository, const std::vector<std::string>& words) {
  return launch::ask_tool(git_words(repository, words), limit_of_git);
}

// As long as it takes, unless somebody ends it.
Answer<void> run_git(const fs::Path& repository, const std::vector<std::string>& words,
                     Environment& environment) {
  std::string said;
  const launch::Command command{
      .argv = git_words(repository, words),
      .env = {},
      .cwd = repository.string(),
      .setup = "",
      .cookie = "git." + std::to_string(environment.now().time_since_epoch().count())};
  launch::Limits limits;
  limits.has_steps = false;
  const launch::Listener listener{.on_output =
                                      [&](std::string_view bytes) {
                                        said += bytes;
                                        return launch::Pulse{};
                                      },
                                  .on_poll = nullptr,
                                  .interrupted = [&] { return environment.interruption(); },
                                  .second_signal = environment.second_signal};
  const Result<launch::Ending> ending = launch::run_command(command, limits, listener);
  if (!ending) return infra(ending.error());
  if (const auto* interrupted = std::get_if<Interrupted>(&ending->outcome))
    return tl::unexpected(Failure{128 + interrupted->signal, "interrupted"});
  if (!ended_well(ending->outcome)) return infra("git " + words.front() + ": " + printable(trim(said)));
  return {};
}

std::string why_unknown(const fs::Path& repository, const std::string& rev) {
  const std::string words = printable(rev, 100) + ": no commit of the repository " + repository.string();
  if (trim(ask_git(repository, {"rev-parse", "--is-shallow-repository"}).output) != "true") return words;
  return words + "; this clone is shallow and may lack it: git fetch --unshallow, or fetch that commit";
}

Answer<std::string> commit_of(const fs::Path& repository, const std::string& rev) {
  const ToolAnswer answer =
      ask_git(repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", rev + "^{commit}"});
  if (!answer.exit_code) return infra("git: " + printable(answer.failure));
  std::string commit(trim(answer.output));
  if (answer.exit_code == 0 && is_commit(commit)) return commit;
  const std::string said = printable(trim(answer.errors));
  return usage(why_unknown(repository, rev) + (said.empty() ? "" : " (" + said + ")"));
}

Answer<fs::Path> new_folder(const Suite& suite) {
  if (const Status made = store::make_gate_folder(suite.layout); !made) return infra(made.error());
  std::string name = (fs::whole_path(suite.root) / ".gate" / "ab-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return infra(name + ": cannot create the folder: " + std::strerror(errno));
  return fs::Path(name);
}

}  // namespace

Answer<WorkTrees> WorkTrees::check_out(const Suite& suite, const std::vector<std::string>& revs,
                                       Environment& environment) {
  const fs::Path root = fs::whole_path(suite.root), repository = git_root(root);
  if (repository.empty())
    return usage(root.string() + " lies in no git repository, and commits are what is compared");
  std::vector<std::string> commits;
  for (const std::string& rev : revs) {
    GATE_TRY(std::string commit, commit_of(repository, rev));
    commits.push_back(std::move(commit));
  }
  GATE_TRY(fs::Path folder, new_folder(suite));
  WorkTrees made(repository, std::move(folder));
  for (std::size_t i = 0; i < revs.size(); ++i)
    GATE_TRY_STATUS(made.add(revs[i], commits[i], root.lexically_relative(repository), environment));
  return made;
}

Answer<void> WorkTrees::add(const std::string& rev, const std::string& commit, const fs::Path& below,
                            Environment& environment) {
  const fs::Path top = folder_ / std::string(1, static_cast<char>('a' + trees_.size()));
  trees_.push_back({rev, commit, top, (top / below).lexically_normal()});
  return run_git(repository_, {"worktree", "add", "--detach", "--quiet", top.string(), commit}, environment);
}

WorkTrees::~WorkTrees() {
  if (folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  for (const WorkTree& tree : trees_)
    ask_git(repository_, {"worktree", "remove", "--force", "--force", tree.top.string()});
}

}  // namespace gate::app
