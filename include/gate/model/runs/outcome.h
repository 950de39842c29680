// How the script ended. Data about the thing under test, not an error of gate.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "gate/base/sentence.h"
#include "gate/base/time.h"

namespace gate {

struct Exited {
  int code = 0;
  bool operator==(const Exited&) const = default;
};
struct Killed {
  int signal = 0;
  bool operator==(const Killed&) const = default;
};
struct TimedOut {
  Duration limit{};
  bool operator==(const TimedOut&) const = default;
};
struct Hung {
  Duration silent{};  // since the last sample
  Duration limit{};
  std::string during;  // `startup`, `training` or `shutdown`
  bool operator==(const Hung&) const = default;
};
struct StoppedEarly {
  Sentence reason;
  std::optional<Duration> rest = std::nullopt;  // that the run was expected to take still; none: not known
  bool operator==(const StoppedEarly&) const = default;
};  // gate stopped it: a failure was certain
struct Interrupted {
  int signal = 0;
  Sentence by = {};  // `ada on host a: wrong image`, of `gate stop`; "": a signal came
  bool operator==(const Interrupted&) const = default;
};  // a person or CI stopped gate, or this case
struct Vanished {
  Sentence why;
  bool operator==(const Vanished&) const = default;
};  // neither status nor process
struct NotStarted {
  Sentence why;
  bool operator==(const NotStarted&) const = default;
};  // gate could not start it: setup, host, resources
struct ScriptChanged {
  Sentence why;
  bool operator==(const ScriptChanged&) const = default;
};  // gate did not start it: it is not what was planned any more
struct PastDeadline {
  Duration limit{};
  bool operator==(const PastDeadline&) const = default;
};  // gate stopped it: the time of the whole run (--deadline) was up
struct GateFailed {
  Sentence why;
  bool operator==(const GateFailed&) const = default;
};  // gate stopped it: its own resources failed, e.g. the disk is full

using Outcome = std::variant<NotStarted, Exited, Killed, TimedOut, Hung, StoppedEarly, Interrupted, Vanished,
                             PastDeadline, GateFailed, ScriptChanged>;

// Return the outcome for people: `exited 0`, `killed by SIGSEGV`, `timed out after 1s`, ...
Sentence text(const Outcome& outcome);

// Return why it ended so, where the outcome holds that: `Slurm: NODE_FAIL, a node failed`; else an empty one.
Sentence why_of(const Outcome& outcome);

// Return the word that files use: not_started, exited, killed, timed_out, hung, stopped_early, interrupted,
// vanished, past_deadline, gate_failed, script_changed.
std::string kind_of(const Outcome& outcome);

// Return `SIGTERM` for 15; `signal 99` where it has no name.
std::string signal_name(int signal);

// Tell whether the script, or its setup, came to a start.
bool was_launched(const Outcome& outcome);

// Tell whether the script ended by itself with 0.
bool ended_well(const Outcome& outcome);

// Tell whether gate or a person ended the script for what is no fault of its own.
bool was_stopped(const Outcome& outcome);

}  // namespace gate
