// Where the launch on a node has its files: where gate has them; or, on a host that was sent the git tree,
// in that tree, and what is wanted of them is copied from there into the folder of the launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/extra_logs.h"
#include "app/launch/mirror.h"
#include "app/launch/output_places.h"
#include "app/launch/post_launch.h"
#include "gate/app/host.h"

namespace gate::app {

class NodeFiles {
 public:
  // Make what the script needs on its host. Fails with what stands against it there. The cut is that of all
  // that is asked, until there is another one.
  static Result<NodeFiles> make(Host& host, const LaunchContext& context, const LaunchFolders& folders,
                                std::size_t node, const Cut& cut);
  void take_cut(const Cut& cut) { cut_ = cut; }

  // As the host calls them; all but cwd are what the script is told. Checkpoints is "" where the case has
  // none.
  struct Folders {
    fs::Path cwd, run, launch, scratch, checkpoints;
  };
  const Folders& there() const { return there_; }
  Host& host() const { return *host_; }

  // Tell whether gate sees the files itself, as all that are here share them.
  bool are_here() const { return files_ == nullptr; }

  // Note the logs that the globs match, right before the launch. Returns where they are looked for.
  Result<LogPlace> note_logs(const std::vector<std::string>& globs);

  // Follow the logs while the script runs, and take the rest of them when it has ended. Returns what went
  // wrong.
  void follow_logs();
  std::vector<std::string> finish_logs();

  // Return what a file of the folder holds; nothing where no regular file stands there. Fails for one of more
  // than `most` bytes, and where the host cannot be asked.
  Result<std::optional<std::string>> file_in(fs::Path Folders::*folder, const std::string& name,
                                             std::uintmax_t most) const;

  // Return the names in the folder that the glob matches, sorted.
  std::vector<std::string> names_in(fs::Path Folders::*folder, const std::string& glob) const;

  // Tell whether what stands there is no regular file, nor a link to one, as far as that is seen from here.
  bool holds_other(fs::Path Folders::*folder, const std::string& name) const;

  // Return where the files are that the globs select: taken from the host, where it has them. Puts what went
  // wrong into `problems`. Of artifacts those are meant that were last written behind the launch.
  enum class Wanted { artifacts, all };
  ArtifactSource artifacts(const std::vector<std::string>& globs, const std::function<bool()>& must_stop,
                           std::vector<std::string>& problems, Wanted wanted = Wanted::artifacts);

  // Return the folder there that the glob is seen from.
  fs::Path folder_there(const PlacedGlob& glob) const;

  // The places of the case's outputs there; none before they are set.
  OutputPlaces outputs;

  // Settle the journal of that name there, as gate::settle() does, where gate does not see the files.
  Result<std::vector<std::string>> settle(const std::string& journal) const {
    if (const std::string lost = host_->why_lost(); !lost.empty()) return fail(lost);
    return files_->settle(journal, cut_);
  }

  // Remove what was made on the host, and the copies. Puts what could not be removed into `problems`.
  void clear(std::vector<std::string>& problems);

 private:
  NodeFiles(Host& host, const LaunchFolders& here, std::size_t node, Folders there, Cut cut)
      : host_(&host),
        files_(host.far_files()),
        here_(here),
        node_(node),
        there_(std::move(there)),
        cut_(std::move(cut)) {}
  std::unique_ptr<Mirror> mirror(const std::string& name, std::vector<MirroredFolder> folders,
                                 MirrorOptions options);

  Host* host_;
  hosts::FarFiles* files_;  // nullptr: gate sees them
  LaunchFolders here_;
  std::size_t node_;
  Folders there_;
  Cut cut_;
  std::int64_t launched_ = 0;  // by the host's clock
  std::unique_ptr<Mirror> logs_;
};

// Return what the host calls a folder of the run.
fs::Path folder_there(const Host& host, const LaunchContext& context, const fs::Path& here);

}  // namespace gate::app
