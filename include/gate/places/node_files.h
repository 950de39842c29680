// Where the launch on a node has its files: where gate has them, too; or, on a host that was sent the git
// tree, in that tree, and what is wanted of them is copied from there into the folder of the launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/places/extra_logs.h"
#include "gate/places/host.h"
#include "gate/places/mirror.h"
#include "gate/places/output_places.h"
#include "gate/places/post_launch.h"

namespace gate::app {

// Which files are the same for all nodes that share them, with who sets aside what lies where outputs go.
class NodeFiles {
 public:
  // As the host calls them; all but cwd are what the script is told. Checkpoints is "" where the case has
  // none.
  struct Folders {
    fs::Path cwd, run, launch, scratch, checkpoints;
  };

  // Make what the script needs on its host. Fails with what stands against it there. The cut is that of all
  // that is asked, until there is another one.
  static Result<std::unique_ptr<NodeFiles>> make(Host& host, const LaunchContext& context,
                                                 const LaunchFolders& folders, std::size_t node,
                                                 const Cut& cut);
  virtual ~NodeFiles() = default;
  void take_cut(const Cut& cut) { cut_ = cut; }

  const Folders& there() const { return there_; }
  Host& host() const { return host_; }

  // Tell whose they are: the same for nodes that share them.
  virtual const void* owner() const = 0;

  // Tell who sets aside what lies at the places of outputs, where gate starts the script itself.
  virtual AsideBy aside_by() const = 0;

  // Note the logs that the globs match, right before the launch. Returns where they are looked for.
  virtual Result<LogPlace> note_logs(const std::vector<std::string>& globs) = 0;

  // Follow the logs while the script runs, and take the rest of them when it has ended. Returns what went
  // wrong.
  virtual void follow_logs() {}
  virtual std::vector<std::string> finish_logs() { return {}; }

  // Return what a file of the folder holds; nothing where no regular file stands there. Fails for one of more
  // than `most` bytes, and where the host cannot be asked.
  virtual Result<std::optional<std::string>> file_in(fs::Path Folders::*folder, const std::string& name,
                                                     std::uintmax_t most) const = 0;

  // Return the names in the folder that the glob matches, sorted.
  virtual std::vector<std::string> names_in(fs::Path Folders::*folder, const std::string& glob) const = 0;

  // Tell whether what stands there is no regular file, nor a link to one, as far as that is seen from here.
  virtual bool holds_other(fs::Path Folders::*, const std::string& /*name*/) const { return false; }

  // Return where the files are that the globs select: taken from the host, where it has them. Puts what went
  // wrong into `problems`. Of artifacts those are meant that were last written behind the launch.
  enum class Wanted { artifacts, all };
  virtual ArtifactSource artifacts(const std::vector<std::string>& globs,
                                   const std::function<bool()>& must_stop, std::vector<Sentence>& problems,
                                   Wanted wanted = Wanted::artifacts) = 0;

  // Return the folder there that the glob is seen from.
  fs::Path folder_there(const PlacedGlob& glob) const;

  // Settle the journal of the path or name, as gate::settle() does.
  virtual Result<std::vector<std::string>> settle(const std::string& journal) const = 0;

  // Remove what was made on the host, and the copies. Puts what could not be removed into `problems`.
  virtual void clear(std::vector<Sentence>& /*problems*/) {}

  // The places of the case's outputs there; none before they are set.
  OutputPlaces outputs;

 protected:
  NodeFiles(Host& host, const LaunchFolders& here, std::size_t node, Folders there, Cut cut)
      : host_(host), here_(here), node_(node), there_(std::move(there)), cut_(std::move(cut)) {}

  Host& host_;
  const LaunchFolders here_;
  const std::size_t node_;
  const Folders there_;
  Cut cut_;
};

// Return what the host calls a folder of the run.
fs::Path folder_there(const Host& host, const LaunchContext& context, const fs::Path& here);

}  // namespace gate::app
