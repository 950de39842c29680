#include "gate/places/node_files.h"

#include <utility>

#include "gate/base/text.h"
#include "places/host/git_tree.h"

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

tl::unexpected<Error> too_large(const std::string& name, std::uintmax_t most) {
  return fail(name + ": larger than " + std::to_string(most) + " bytes");
}

// Gate sees them itself, as all nodes that share them do.
class SharedFiles : public NodeFiles {
 public:
  SharedFiles(Host& host, const LaunchContext& context, const LaunchFolders& here, std::size_t node,
              const Cut& cut)
      : NodeFiles(host, here, node,
                  {here.cwd, context.folder.path(), here.folder, here.scratch(), here.checkpoints}, cut) {}

  const void* owner() const override { return nullptr; }
  AsideBy aside_by() const override { return AsideBy::gate; }

  Result<LogPlace> note_logs(const std::vector<std::string>&) override {
    return LogPlace{node_, there_.cwd, there_.scratch};
  }

  Result<std::optional<std::string>> file_in(fs::Path Folders::*folder, const std::string& name,
                                             std::uintmax_t most) const override {
    const fs::Path path = there_.*folder / name;
    const FileState state = state_of(path);
    if (state.identity == FileIdentity{}) return std::nullopt;
    if (state.size > most) return too_large(name, most);
    return bytes_at(path, 0, state.size);
  }

  std::vector<std::string> names_in(fs::Path Folders::*folder, const std::string& glob) const override {
    std::vector<std::string> names = fs::files_for(there_.*folder, glob);
    std::erase_if(names, [&](const std::string& name) { return !glob_match(glob, name); });
    return names;
  }

  bool holds_other(fs::Path Folders::*folder, const std::string& name) const override {
    const fs::Path path = there_.*folder / name;
    return fs::is_taken(path) && state_of(path).identity == FileIdentity{};
  }

  ArtifactSource artifacts(const std::vector<std::string>&, const std::function<bool()>&,
                           std::vector<Sentence>&, Wanted) override {
    return {there_.cwd, there_.scratch, of_node(here_.folder / "artifacts", node_), here_.launched};
  }

  Result<std::vector<std::string>> settle(const std::string& journal) const override {
    return gate::settle(journal);
  }
};

// In the tree that the host was sent: what is wanted of them is copied from there.
class SentFiles : public NodeFiles {
 public:
  SentFiles(Host& host, hosts::FarFiles& files, const LaunchContext& context, const LaunchFolders& here,
            std::size_t node, const Cut& cut)
      : NodeFiles(host, here, node, folders_there(host, context, here), cut), files_(files) {}

  Status make_folders() {
    GATE_TRY(launched_, files_.make_folder(there_.scratch, cut_));
    if (there_.checkpoints.empty()) return {};
    return files_.make_folder(there_.checkpoints, cut_).map([](auto) {});
  }

  const void* owner() const override { return this; }
  AsideBy aside_by() const override { return AsideBy::agent; }

  Result<LogPlace> note_logs(const std::vector<std::string>& globs) override {
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

  void follow_logs() override {
    if (logs_) logs_->follow();
  }

  std::vector<std::string> finish_logs() override {
    return logs_ && host_.why_lost().empty() ? logs_->update(cut_) : std::vector<std::string>{};
  }

  Result<std::optional<std::string>> file_in(fs::Path Folders::*folder, const std::string& name,
                                             std::uintmax_t most) const override {
    if (const std::string lost = host_.why_lost(); !lost.empty()) return fail(lost);
    GATE_TRY(const std::vector<hosts::FarFile> found, files_.find(there_.*folder, {name}, cut_));
    if (found.empty() || found.front().state.identity == FileIdentity{}) return std::nullopt;
    if (found.front().state.size > most) return too_large(name, most);
    GATE_TRY(std::string text, whole_file(files_, there_.*folder / name, found.front().state, cut_));
    return text;
  }

  std::vector<std::string> names_in(fs::Path Folders::*folder, const std::string& glob) const override {
    std::vector<std::string> names;
    if (!host_.why_lost().empty()) return names;
    if (const auto found = files_.find(there_.*folder, {glob}, cut_))
      for (const hosts::FarFile& file : *found) names.push_back(file.path);
    return names;
  }

  ArtifactSource artifacts(const std::vector<std::string>& globs, const std::function<bool()>& must_stop,
                           std::vector<Sentence>& problems, Wanted wanted) override {
    const auto all = mirror("artifacts",
                            {{there_.cwd, "cwd", seen_from(&ArtifactSource::cwd, globs), {}},
                             {there_.scratch, "scratch", seen_from(&ArtifactSource::scratch, globs), {}},
                             {"/", "root", seen_from(&ArtifactSource::root, globs), {}}},
                            {wanted == Wanted::all ? 0 : launched_, OldFiles::none});
    if (host_.why_lost().empty())
      for (const std::string& problem :
           all->update(cut_.stopped([&] { return std::string(must_stop() ? "interrupted" : ""); })))
        problems.push_back(say({"artifacts: {}", "artifacts：{}"}, problem));
    const fs::Path copies = copies_of(here_, node_) / "artifacts";
    return {copies / "cwd", copies / "scratch", of_node(here_.folder / "artifacts", node_),
            fs::FileTime::min(), copies / "root"};
  }

  Result<std::vector<std::string>> settle(const std::string& journal) const override {
    if (const std::string lost = host_.why_lost(); !lost.empty()) return fail(lost);
    return files_.settle(journal, cut_);
  }

  void clear(std::vector<Sentence>& problems) override {
    logs_.reset();
    if (host_.why_lost().empty())
      if (const Status removed = files_.remove_folder(there_.scratch, cut_); !removed)
        problems.push_back(removed.error().message);
    const fs::Path copies = copies_of(here_, node_);
    std::error_code error;
    std::filesystem::remove_all(copies, error);
    if (error)
      problems.push_back(
          say({"{}: cannot be removed: {}", "{}：无法删除：{}"}, copies.string(), error.message()));
  }

 private:
  std::unique_ptr<Mirror> mirror(const std::string& name, std::vector<MirroredFolder> folders,
                                 MirrorOptions options) const {
    const fs::Path copies = copies_of(here_, node_) / name;
    for (MirroredFolder& folder : folders) folder.here = copies / folder.here;
    return std::make_unique<Mirror>(files_, std::move(folders), copies / "store", options);
  }

  hosts::FarFiles& files_;
  std::int64_t launched_ = 0;  // by the host's clock
  std::unique_ptr<Mirror> logs_;
};

}  // namespace

Result<std::unique_ptr<NodeFiles>> NodeFiles::make(Host& host, const LaunchContext& context,
                                                   const LaunchFolders& folders, std::size_t node,
                                                   const Cut& cut) {
  hosts::FarFiles* const sent = host.sent_files();
  if (sent == nullptr) return std::make_unique<SharedFiles>(host, context, folders, node, cut);
  auto files = std::make_unique<SentFiles>(host, *sent, context, folders, node, cut);
  GATE_TRY_STATUS(files->make_folders());
  return files;
}

fs::Path NodeFiles::folder_there(const PlacedGlob& glob) const {
  if (glob.base == &ArtifactSource::root) return "/";
  return glob.base == &ArtifactSource::cwd ? there_.cwd : there_.scratch;
}

fs::Path folder_there(const Host& host, const LaunchContext& context, const fs::Path& here) {
  const fs::Path below = path_below(here, context.folder.path()).value_or(".");
  return (run_there(host, context) / below).lexically_normal();
}

}  // namespace gate::app
