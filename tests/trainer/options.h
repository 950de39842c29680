// The command line.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>

namespace tinygpt {

// The defaults train well in about a second on two cores. Faults happen at a step counted from 1; 0 is never.
struct Options {
  int ranks = 2;
  int steps = 30;
  std::uint64_t seed = 1234;
  bool seed_from_clock = false;  // where a training begins; one that goes on keeps that of its checkpoint
  double lr = 0.003;             // its peak

  double grad_scale = 1;  // every averaged gradient times this
  int sleep_ms = 0;       // more a step
  int elapsed_ms = 0;     // what every step says it took; 0: what the clock says
  int leak_mb = 0;        // MiB that every rank takes at every step and never gives back
  int nan_at = 0;         // loss and gradients of this step are NaN
  int crash_at = 0;       // the last rank fails before this step
  int hang_at = 0;        // the last rank never begins this step
  int stop_at = 0;        // all ranks end well after this step, without a word

  std::string save = {};      // a folder for checkpoints; empty: none is saved
  int save_interval = 0;      // a checkpoint after so many steps each; 0: after the last one only
  bool save_optim = true;     // with the optimizer's state
  bool save_on_term = false;  // SIGTERM ends the training after its step, with a checkpoint
  int save_ms = 0;            // saving takes so much longer
  bool torn_tracker = false;  // the tracker is left empty
  std::string load = {};      // the folder with the checkpoint to go on after, if there is one

  int nodes = 1;  // each with `ranks` ranks; several find each other at the master's address, node 0's
  int node = 0;   // this one
  std::string master_addr = {};
  int master_port = 29500;
  int connect_limit = 60;  // seconds until all nodes are there
  int silence_limit = 60;  // seconds until a host that answers nothing is lost

  int world() const { return nodes * ranks; }
};

struct HelpWanted {};

struct UsageError {
  std::string message;
};

using ParsedOptions = std::variant<Options, HelpWanted, UsageError>;

// What a variable of the environment holds, or nullptr.
using Environment = std::function<const char*(const char* name)>;

// Read the words after the program's name: `--name value`, `--name=value`, or a switch `--name`; of a name
// given twice the later wins, so a script may set its own and hand on its caller's. A word that is no option,
// a missing or malformed value, one out of range, a fault after the last step, a word about saving without a
// folder, a node behind the last one and several nodes without an address are errors.
//
// What no word sets, some variables do that launchers set: NNODES, and where there are several nodes
// NODE_RANK, NPROC_PER_NODE, MASTER_ADDR and MASTER_PORT. One that is empty is as one that is not there.
ParsedOptions parse_options(std::span<const char* const> words, const Environment& environment = {});

// Return the text of --help, with a last line end.
std::string help_text();

}  // namespace tinygpt
