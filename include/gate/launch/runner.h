// A script's process tree, from launch to its end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/sentence.h"
#include "gate/base/set_aside.h"
#include "gate/base/time.h"
#include "gate/model/runs/fault.h"
#include "gate/model/runs/fingerprint.h"
#include "gate/model/runs/outcome.h"

namespace gate::launch {

// What is started.
struct Command {
  std::vector<std::string> argv;           // argv[0] is searched on the command's PATH; never a shell line
  std::map<std::string, std::string> env;  // set over gate's own environment
  std::string cwd;                         // "": gate's own; a relative argv[0] with a `/` is taken from here
  std::string setup;                       // shell text run before it, in its bash; failing is NotStarted
  // GATE_LAUNCH, by which every process of the tree is found. No other launch on this host may have it.
  std::string cookie;
  std::vector<std::string> at_kill =
      {};  // a program that is asked once, when the tree is killed; may be none
  std::vector<std::string> needs =
      {};  // paths that an agent looks up first: one that is not there is NotStarted
  std::string script = {},
              script_sha256 = {};  // of another hash it is ScriptChanged; "": it is not looked at
  std::string watched = {};        // files whose paths begin so are written once: else PREFIX.twice names one
  Asides asides = {};              // what an agent sets aside first
};

// How long it may go on.
struct Limits {
  Duration timeout{std::chrono::hours(2)};     // of the whole run, setup included, wall clock
  Duration startup{std::chrono::minutes(30)};  // before the second sample, and after the last step
  Duration hang{std::chrono::minutes(15)};  // since the last sample; never below 5 times the longest gap seen
  Duration grace{std::chrono::seconds(30)};  // between TERM and KILL
  // What is left of the whole run's time (--deadline) at the launch, and the deadline for the words.
  std::optional<Duration> rest = std::nullopt;
  Duration deadline{};
  bool has_steps = true;      // false: only the timeout applies
  bool total_known = false;   // it is known before the launch how many steps there will be
  bool wait_for_tree = true;  // a script exits with 0 before a known total: wait for what it left running
  Duration spent{};           // of timeout and rest, before the launch: by an earlier start of the script
};

// What the output just delivered meant; the runner knows nothing of logs.
struct Pulse {
  bool sample = false;          // it held a sample: the training moves
  bool restarted = false;       // a new attempt began: gaps seen so far do not count
  bool complete = false;        // the last step has been printed
  bool total_known = false;     // it is known by now how many steps there will be
  std::optional<Outcome> stop;  // stop the script, and this is how it ended: StoppedEarly, GateFailed
  int samples = 1;              // how many steps had samples in it, where it held any
  std::optional<Fault> fault = std::nullopt;  // to be inflicted now; what comes of it is Ending::inflicted
};

// Who hears of a launch, and can end it.
struct Listener {
  std::function<Pulse(std::string_view)> on_output;  // stdout and stderr, of setup too, as they come
  // What is known of the script's progress beside its output: asked every second; none where there is no
  // such.
  std::function<Pulse()> on_poll;
  std::function<std::optional<Interrupted>()>
      interrupted;                      // that a person or CI wants it to end, once they do
  std::function<bool()> second_signal;  // true once stopping must not wait any more (a second signal)
  // For what it waits before it is started, whenever that changes; "": it is started now.
  std::function<void(const Sentence&)> on_waiting = {};
  // What the script runs on, once its packages have been seen, or that no Python is. It may print nothing
  // more by then.
  std::function<Pulse(const Fingerprint&)> on_fingerprint = {};
};

// A fault that was inflicted.
struct Inflicted {
  Duration at{};              // since the launch
  std::size_t processes = 0;  // that it hit; 0: there were none of that rank
};

struct Ending {
  Outcome outcome;
  Duration duration{};     // of the launch, until nothing of it was left
  Duration script_time{};  // from the launch to the end of the script, where it ended by itself
  // Processes that outlived the script and were stopped: `pid 71 sleep 100`.
  std::vector<Sentence> leftovers;
  // Processes that KILL did not end: stuck in a driver, or another user's.
  std::vector<Sentence> survivors;
  // Of a script that hung or took too long: its processes just before they were stopped, for people. One line
  // for each process and thread with its state and what it waits for in the kernel, and stacks where the
  // system shows them.
  std::vector<std::string> evidence;
  std::vector<Sentence> remarks;  // what is to be said of the launch: its host could not be heard
  std::string host = {};          // where an engine ran it; "": where it was to run
  std::string devices = {};       // that the engine gave it, by their numbers; "": none, or not told
  Fingerprint fingerprint = {};   // of the script, as it was seen at its first samples or soon after
  // None: no fault was asked for, or the script had ended by then. The outcome of a script that is killed or
  // told to end by it is how it ended then.
  std::optional<Inflicted> inflicted = std::nullopt;
};

// How long stopping waits where the limits do not say.
struct Patience {
  Duration settle{std::chrono::seconds(2)};  // for a tree to end by itself after its script: `> >(tee log)`
  Duration term{std::chrono::seconds(2)};    // between TERM and KILL of the tree, after the launcher's grace
  Duration kill{std::chrono::seconds(10)};   // for killed processes to go, before they are called survivors
};

// Run the command on this host to its end; when it returns, no process of it is left (but for
// Ending::survivors). Own session and process group, child subreaper, one pipe for stdout and stderr, stdin
// /dev/null. Stopping: TERM to the launcher, grace, then TERM and KILL to the whole tree until none is left.
// Fails only if gate itself cannot work (no more file descriptors, no fork).
//
// It makes gate adopt orphans (PR_SET_CHILD_SUBREAPER) and restores an ignored SIGCHLD, both for good. It
// starts no threads; calls in several threads do not disturb one another. Whatever else gate starts is
// started as a tool (tool.h), which is registered and never taken for an orphan of a script.
Result<Ending> run_command(const Command& command, const Limits& limits, const Listener& listener,
                           const Patience& patience = {});

}  // namespace gate::launch
