#include "runner/ab/work_trees.h"

#include <filesystem>
#include <utility>

#include "gate/base/text.h"
#include "gate/launch/runner.h"
#include "gate/suite/git.h"
#include "gate/suite/git_commit.h"

namespace gate::app {

namespace {

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

Answer<fs::Path> new_folder(const Suite& suite) {
  if (const Status made = store::make_gate_folder(suite.layout); !made) return infra(made.error());
  Result<fs::Path> folder = fs::make_unique_folder(fs::whole_path(suite.root) / ".gate" / "ab-");
  if (!folder) return infra(folder.error());
  return std::move(*folder);
}

}  // namespace

Answer<WorkTrees> WorkTrees::check_out(const Suite& suite, const std::vector<std::string>& revs,
                                       Environment& environment) {
  const fs::Path root = fs::whole_path(suite.root), repository = git_root(root);
  if (repository.empty())
    return usage(root.string() + " lies in no git repository, and commits are what is compared");
  std::vector<std::string> commits;
  for (const std::string& rev : revs) {
    GATE_TRY(const GitCommit commit, GitCommit::find(repository, rev));
    commits.push_back(commit.id());
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
