// Where a case's script runs, and what the engine is told that runs it.
#pragma once

#include <string>
#include <vector>

namespace gate {

enum class Backend {
  automatic,  // ssh where the case names hosts, else local
  local,
  ssh,
  slurm,
  kubernetes,
};

// What is to be known of a place, whatever it is called.
struct PlaceTraits {
  bool queues = false;       // it takes jobs, and finds machines and devices for them: gate reserves none
  bool names_hosts = false;  // a case says on which hosts, all of [hosts] where it says none
  bool takes_hosts = false;  // a case may say so
  bool shares_files = true;  // what its nodes write in the suite's folder is seen here
  bool has_agent = true;     // gate, or its agent, is on each node, and can look there
  bool sets_rank = false;    // nodes alone know their number, besides where the first one is reached
};

constexpr PlaceTraits traits_of(Backend backend) {
  switch (backend) {
    case Backend::automatic:
      return {.takes_hosts = true};
    case Backend::ssh:
      return {.names_hosts = true, .takes_hosts = true};
    case Backend::slurm:
      return {.queues = true};
    case Backend::kubernetes:
      return {.queues = true, .shares_files = false, .has_agent = false, .sets_rank = true};
    default:
      return {};
  }
}

// The container in which a case's script runs.
struct Container {
  std::string image;                 // each launch has a new container of it; "": none
  std::string exec;                  // the name of a container that runs already; "": none
  std::string engine = "podman";     // or docker
  std::vector<std::string> mounts;   // PATH, or OUTSIDE:INSIDE, or OUTSIDE:INSIDE:ro
  std::vector<std::string> options;  // further words for the engine's `run` or `exec`

  bool is_used() const { return !image.empty() || !exec.empty(); }
};

struct Slurm {
  std::string gres = "gpu:{devices}";  // of a node, for a case that uses devices
  std::vector<std::string> options;    // further words for sbatch
};

struct Kubernetes {
  std::string kubectl = "kubectl";  // the program and its words, between blanks
  std::string name_space;           // "": that of kubectl's context
  std::string resource;             // of a device: `nvidia.com/gpu`
  std::string patch;                // a file, seen from the suite's folder; "": none
  std::string patched;              // what it wants of the job, as JSON, once the suite is open
};

}  // namespace gate
