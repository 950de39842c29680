// A script's process tree, from launch to its end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/model/outcome.h"

namespace gate::launch {

struct Limits {
  Duration timeout{std::chrono::hours(2)};     // of the whole run, wall clock
  Duration startup{std::chrono::minutes(30)};  // before the second sample, and after the last step
  Duration hang{std::chrono::minutes(15)};     // since the last sample; never below 5 times the longest gap seen
  Duration grace{std::chrono::seconds(30)};    // between TERM and KILL
};

// What the output just delivered meant; the runner knows nothing of logs.
struct Pulse {
  bool sample = false;                // it held a sample: the training moves
  bool restarted = false;             // a new attempt began: gaps seen so far do not count
  bool complete = false;              // the last step has been printed
  std::optional<std::string> stop;    // stop the script: a failure is certain, and why
};

struct Job {
  std::vector<std::string> argv;              // argv[0] is searched on PATH; never a shell line
  std::map<std::string, std::string> env;     // added to gate's own environment
  std::string cwd;
  std::string setup;                          // shell text run before it; failing is NotStarted
  Limits limits;
  bool has_steps = true;                      // false: only the timeout applies
  std::string cookie;                         // GATE_LAUNCH: by which every process of the tree is found
  std::function<Pulse(std::string_view)> on_output;  // stdout and stderr, as they come
  std::function<std::optional<int>()> interrupted;   // the signal that a person or CI sent, once there is one
};

struct Ending {
  Outcome outcome;
  Duration duration{};
  std::vector<std::string> leftovers;  // processes that outlived the script and were stopped: `pid 71 sleep 100`
};

// The machine as an argument: tests hand app a runner that plays a log.
class Runner {
 public:
  virtual ~Runner() = default;
  // Run the job to its end; when it returns, no process of the job is left. Fails only if gate itself cannot work
  // (no more file descriptors, no fork).
  virtual Result<Ending> run(const Job& job) = 0;
};

// The runner of this host: own session and process group, child subreaper, one pipe for stdout and stderr, stdin
// /dev/null. Stopping: TERM to the launcher, grace, then TERM and KILL to the whole tree until none is left.
class LocalRunner : public Runner {
 public:
  Result<Ending> run(const Job& job) override;
};

}  // namespace gate::launch
