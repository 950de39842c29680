// What is done when a script has ended, before it is judged: what it leaves is kept or cleared away.
#pragma once

#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/sentence.h"
#include "gate/launch/runner.h"
#include "gate/places/launch_case.h"

namespace gate::app {

struct Seat;

// The folders of one launch.
struct LaunchFolders {
  fs::Path folder;          // of the case, or of a further try in it
  fs::Path cwd;             // in which the script starts
  fs::FileTime launched{};  // when the launch began
  fs::Path checkpoints{};   // that all starts of the run share; "": the case has none

  fs::Path scratch() const { return folder / "scratch"; }  // GATE_SCRATCH: gone after the script
  fs::Path log() const { return folder / "log.txt"; }
};

// Where files that a script left and that are to be kept are looked for, and the folder that they go to.
struct ArtifactSource {
  fs::Path cwd;
  fs::Path scratch;
  fs::Path into;
  fs::FileTime since{};  // files last written before it are not the script's
  fs::Path root = "/";   // for globs that begin with a `/`
};

// A glob of the setting `artifacts`: which of these folders it is seen from, and what of it is seen from
// there.
struct PlacedGlob {
  fs::Path ArtifactSource::*base = &ArtifactSource::cwd;  // cwd, scratch or root
  std::string below;
};
PlacedGlob placed(const std::string& glob);

struct KeptArtifacts {
  int files = 0;
  std::vector<Sentence> problems;  // a glob that nothing matches, a file that cannot be copied
};

// Copy the files that the globs select in any of the sources into its folder. A glob is seen from `cwd` and
// may begin with `{scratch}/`; `*` does not cross a `/`, `**` does, `..` is no way out. A file keeps its path
// below cwd or scratch. Links to files are followed; what is no regular file is left alone. What is there
// already is replaced.
KeptArtifacts keep_artifacts(const std::vector<std::string>& globs,
                             const std::vector<ArtifactSource>& sources);

// Return that a launch wrote no file of the glob.
Sentence no_artifact_words(const std::string& glob);

// Take the problem of a glob that nothing matches from `one`, a further launch of the case, and from what is
// known of `all` before it where this one wrote such a file: what any of them wrote is there.
void join_missing_artifacts(const std::vector<std::string>& globs, LaunchRecord& all, LaunchRecord& one);

// Keep the evidence of a script that stood still (`evidence.txt`: its last lines by source, its processes)
// its artifacts and its outputs, and remove its scratch folder, also what it has on the hosts of its nodes.
// Puts into `launched` the last line of `log` and where things are, and into the ending's remarks what went
// wrong.
void clear_up(const LaunchContext& context, const PlannedCase& planned, const LaunchFolders& folders,
              std::vector<Seat>& seats, launch::Ending& ending, const fs::Path& log, LaunchResult& launched);

}  // namespace gate::app
