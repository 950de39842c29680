// The container in which a case's script runs.
#pragma once

#include <string>
#include <vector>

namespace gate {

struct Container {
  std::string image;                // each launch has a new container of it; "": none
  std::string exec;                 // the name of a container that runs already; "": none
  std::string engine = "podman";    // or docker
  std::vector<std::string> mounts;  // PATH, or OUTSIDE:INSIDE, or OUTSIDE:INSIDE:ro
  std::string network = "host";
  std::string user;                  // "": the engine's choice
  std::string shm_size;              // `16g`; "": the engine's choice
  std::vector<std::string> options;  // further words for the engine's `run` or `exec`

  bool is_used() const { return !image.empty() || !exec.empty(); }
};

}  // namespace gate
