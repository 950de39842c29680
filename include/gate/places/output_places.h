// The places of a case's outputs on a host, before a launch and behind it (gate/base/set_aside.h).
#pragma once

#include <set>
#include <string>

#include "gate/base/set_aside.h"
#include "gate/places/post_launch.h"

namespace gate::app {

class NodeFiles;

enum class AsideBy {
  gate,          // it sees the files, and starts the script
  agent,         // of a host that has files of its own
  agent_of_job,  // of the node that starts first: gate does not know when
};

// Who sets aside what lies there: gate, where it sees the files and starts the script, and of pods; the agent
// of a host that has files of its own; in Slurm, where gate does not know when a job starts, the agent of the
// node that starts first. Gate notes the agent's journal in one of its own then, so that whoever comes behind
// a killed gate finds it.
class OutputPlaces {
 public:
  OutputPlaces() = default;  // of no output

  static OutputPlaces of(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchFolders& folders, const NodeFiles& files, AsideBy by);

  // Return what the agent sets aside that starts the script; nothing where gate does.
  const Asides& of_agent() const { return of_agent_; }

  // Set aside what gate does; right before the script is started.
  Status set_aside() const;

  // Put back and remove what was set aside. Returns the files at the places that are not the launch's.
  Result<std::set<std::string>> settle(const NodeFiles& files) const;

 private:
  Asides own_, of_agent_;
};

// Put back what launches of a killed gate had set aside (gate/base/set_aside.h): of the gate of that owner;
// "": of all gates of this host that are gone.
void put_back_outputs(const std::string& owner = "");

}  // namespace gate::app
