#include "app/launch/node_files.h"

#include <utility>

#include "app/host/git_tree.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

// A run outside of the tree has its folders in the tree, too.
fs::Path run_there(const Host& host, const LaunchContext& context) {
  const fs::Path run = context.folder.path();
  const fs::Path there = host.path_there(run);
  return there == run ? host.path_there(context.suite.root) / ".gate" / "runs" / context.folder.id() : there;
}

NodeFiles::Folders folders_there(const Host& host, const LaunchContext& context, const LaunchFolders& here) {
  NodeFiles::Folders there{
      host.path_there(here.cwd), run_there(host, context), folder_there(host, context, here.folder), {}, {}};
  there.scratch = there.launch / "scratch";
  if (!here.checkpoints.empty()) there.checkpoints = folder_there(host, context, here.checkpoints);
  return there;
}

// The script does not see them.
fs::Path copies_of(const LaunchFolders& folders, std::size_t node) {
  return of_node(folders.scratch(), node);
}

// Of the globs, those that are seen from a place, without what says so.
std::vector<std::string> seen_from(fs::Path ArtifactSource::*place, const std::vector<std::string>& globs) {
  std::vector<std::string> seen;
  for (const std::string& glob : globs)
    if (PlacedGlob one = placed(glob); one.base == place) seen.push_back(std::move(one.below));
  return seen;
}

Result<std::string> whole_file(hosts::FarFiles& files, const fs::Path& path, const FileState& state,
                               const Cut& cut) {
  std::string text;
  while (text.size() < state.size) {
    GATE_TRY(const std::string bytes, files.read(path, state.identity, text.size(), files.block(), cut));
    if (bytes.empty()) break;
    text += bytes;
  }
  return text;
}

}  // namespace

Result<NodeFiles> NodeFiles::make(Host& host, const LaunchContext& context, const LaunchFolders& folders,
                                  std::size_t node, const Cut& cut) {
  if (host.far_files() == nullptr)
    return NodeFiles(
        host, folders, node,
        {folders.cwd, context.folder.path(), folders.folder, folders.scratch(), folders.checkpoints}, cut);
  NodeFiles files(host, folders, node, folders_there(host, context, folders), cut);
  GATE_TRY(files.launched_, files.files_->make_folder(files.there_.scratch, cut));
  if (!files.there_.checkpoints.empty())
    GATE_TRY_STATUS(files.files_->make_folder(files.there_.checkpoints, cut).map([](auto) {}));
  return files;
}

std::unique_ptr<Mirror> NodeFiles::mirror(const std::string& name, std::vector<MirroredFolder> folders,
                                          MirrorOptions options) {
  const fs::Path copies = copies_of(here_, node_) / name;
  for (MirroredFolder& folder : folders) folder.here = copies / folder.here;
  return std::make_unique<Mirror>(*files_, std::move(folders), copies / "store", options);
}

Result<LogPlace> NodeFiles::note_logs(const std::vector<std::string>& globs) {
  if (are_here()) return LogPlace{node_, there_.cwd, there_.scratch};
  std::vector<std::string> wanted;
  for (const std::string& glob : globs) wanted.push_back(without_rank(glob));
  logs_ = mirror("logs",
                 {{there_.cwd, "cwd", seen_from(&ArtifactSource::cwd, wanted), may_be_log},
                  {there_.scratch, "scratch", seen_from(&ArtifactSource::scratch, wanted), {}},
                  {"/", "root", seen_from(&ArtifactSource::root, wanted), may_be_log}},
                 {launched_, OldFiles::ends});
  if (const std::vector<std::string> problems = logs_->note(cut_); !problems.empty())
    return fail("log: " + problems.front());
  const fs::Path copies = copies_of(here_, node_) / "logs";
  return LogPlace{node_, copies / "cwd", copies / "scratch", copies / "root"};
}

void NodeFiles::follow_logs() {
  if (logs_) logs_->follow();
}

std::vector<std::string> NodeFiles::finish_logs() {
  return logs_ && host_->why_lost().empty() ? logs_->update(cut_) : std::vector<std::string>{};
}

Result<std::optional<std::string>> NodeFiles::file_in(fs::Path Folders::*folder, const std::string& name,
                                                      std::uintmax_t most) const {
  const fs::Path path = there_.*folder / name;
  FileState state;
  if (are_here()) {
    state = state_of(path);
  } else {
    if (const std::string lost = host_->why_lost(); !lost.empty()) return fail(lost);
    GATE_TRY(const std::vector<hosts::FarFile> found, files_->find(there_.*folder, {name}, cut_));
    if (!found.empty()) state = found.front().state;
  }
  if (state.identity == FileIdentity{}) return std::nullopt;
  if (state.size > most) return fail(name + ": larger than " + std::to_string(most) + " bytes");
  if (are_here()) return bytes_at(path, 0, state.size);
  GATE_TRY(std::string text, whole_file(*files_, path, state, cut_));
  return text;
}

std::vector<std::string> NodeFiles::names_in(fs::Path Folders::*folder, const std::string& glob) const {
  std::vector<std::string> names;
  if (are_here()) {
    names = fs::files_for(there_.*folder, glob);
    std::erase_if(names, [&](const std::string& name) { return !glob_match(glob, name); });
  } else if (host_->why_lost().empty()) {
    if (const auto found = files_->find(there_.*folder, {glob}, cut_))
      for (const hosts::FarFile& file : *found) names.push_back(file.path);
  }
  return names;
}

bool NodeFiles::holds_other(fs::Path Folders::*folder, const std::string& name) const {
  const fs::Path path = there_.*folder / name;
  return are_here() && fs::is_taken(path) && state_of(path).identity == FileIdentity{};
}

ArtifactSource NodeFiles::artifacts(const std::vector<std::string>& globs,
                                    const std::function<bool()>& must_stop,
                                    std::vector<std::string>& problems, Wanted wanted) {
  const fs::Path into = of_node(here_.folder / "artifacts", node_);
  if (are_here()) return {there_.cwd, there_.scratch, into, here_.launched};
  const auto all = mirror("artifacts",
                          {{there_.cwd, "cwd", seen_from(&ArtifactSource::cwd, globs), {}},
                           {there_.scratch, "scratch", seen_from(&ArtifactSource::scratch, globs), {}},
                           {"/", "root", seen_from(&ArtifactSource::root, globs), {}}},
                          {wanted == Wanted::all ? 0 : launched_, OldFiles::none});
  if (host_->why_lost().empty())
    for (const std::string& problem :
         all->update(cut_.stopped([&] { return std::string(must_stop() ? "interrupted" : ""); })))
      problems.push_back("artifacts: " + problem);
  const fs::Path copies = copies_of(here_, node_) / "artifacts";
  return {copies / "cwd", copies / "scratch", into, fs::FileTime::min(), copies / "root"};
}

fs::Path NodeFiles::folder_there(const PlacedGlob& glob) const {
  if (glob.base == &ArtifactSource::root) return "/";
  return glob.base == &ArtifactSource::cwd ? there_.cwd : there_.scratch;
}

void NodeFiles::clear(std::vector<std::string>& problems) {
  if (are_here()) return;
  logs_.reset();
  if (host_->why_lost().empty())
    if (const Status removed = files_->remove_folder(there_.scratch, cut_); !removed)
      problems.push_back(removed.error().message);
  std::error_code error;
  std::filesystem::remove_all(copies_of(here_, node_), error);
  if (error) problems.push_back(copies_of(here_, node_).string() + ": cannot be removed: " + error.message());
}

fs::Path folder_there(const Host& host, const LaunchContext& context, const fs::Path& here) {
  const fs::Path below = path_below(here, context.folder.path()).value_or(".");
  return (run_there(host, context) / below).lexically_normal();
}

}  // namespace gate::app
