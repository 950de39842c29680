// The folder through which gate and its agent in a job of Slurm's speak to each other: files that gate's host
// and the job's nodes both see, maybe some time later than they were written. Each file is written by one
// side alone, and replaced as a whole, but for a log, which grows.
//
//   command        gate: JobCommand
//   alive          gate, again and again: it is there
//   order-NODE     gate: JobOrder
//   begun-NODE     agent: it has begun, and none may again; again-NODE: one has tried
//   master         the agent of node 0: where the others reach it
//   state-NODE     agent: NodeState
//   log-NODE       agent: the output
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/hosts/protocol.h"

namespace gate::hosts {

// What the agents are to do.
struct JobCommand {
  std::vector<launch::Command>
      nodes;               // of each node; MASTER_ADDR and MASTER_PORT are the agent's, unless set
  Duration lost_after{};   // how long gate may be silent
  Duration gone_within{};  // how long killed processes are waited for
};

// What a node is told afterwards.
struct JobOrder {
  std::optional<launch::Force> stop = std::nullopt;
  std::int64_t questions = 0;  // how often it was asked what is left, and what it does
  std::int64_t looks = 0;      // how often it was asked what it runs on
};

// How a node stands.
struct NodeState {
  ProcessState process;
  std::string host;          // its name in the engine
  std::string devices;       // that the engine gave it, by their numbers: `0,1`; "": none
  Duration lasted{};         // from the start to the launcher's end, once it has ended
  bool told_to_end = false;  // not by gate: by the engine, or because gate was silent
  std::string trouble;       // what kept the agent from its work; "": nothing
  std::int64_t answers = 0;  // how many questions are answered by what follows
  std::vector<std::string> left, evidence;
  std::int64_t looks = 0;  // how many looks made what follows
  Fingerprint fingerprint;
};

// Where the other nodes reach the first one.
struct Master {
  std::string address;
  int port = 0;
};

class JobFolder {
 public:
  explicit JobFolder(fs::Path path) : path_(std::move(path)) {}

  // Make it, for no other user: values of the environment stand in it.
  static Result<JobFolder> make(const fs::Path& path);

  const fs::Path& path() const { return path_; }
  fs::Path log(std::size_t node) const { return file("log", node); }
  fs::Path alive() const { return path_ / "alive"; }
  fs::Path begun(std::size_t node) const { return file("begun", node); }
  fs::Path again(std::size_t node) const { return file("again", node); }
  fs::Path state_file(std::size_t node) const { return file("state", node); }

  // Replace a file.
  Status write(const JobCommand& command) const;
  Status write(const JobOrder& order, std::size_t node) const;
  Status write(const NodeState& state, std::size_t node) const;
  Status write(const Master& master) const;

  // Return what a file says; nothing where it is not there, or is none of these.
  std::optional<JobCommand> command() const;
  std::optional<JobOrder> order(std::size_t node) const;
  std::optional<NodeState> state(std::size_t node) const;
  std::optional<Master> master() const;

 private:
  fs::Path file(const char* name, std::size_t node) const {
    return path_ / (std::string(name) + "-" + std::to_string(node));
  }
  fs::Path path_;
};

}  // namespace gate::hosts
