// A script that was started, with all that came of it; wherever it runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"
#include "gate/launch/runner.h"
#include "gate/model/runs/fingerprint.h"
#include "gate/model/runs/outcome.h"

namespace gate::launch {

enum class SetupStep { none, first };
inline SetupStep setup_step(const Command& command) {
  return command.setup.empty() ? SetupStep::none : SetupStep::first;
}

enum class More { wanted, enough };
enum class Woken { by_output, otherwise };

// How hard it is stopped.
enum class Force {
  ask,   // TERM to the launcher, that is the script or what runs its setup
  end,   // TERM to all but the launcher
  kill,  // KILL to all
};

// What is sent to what is alive of it, or to one rank alone.
enum class Signal { kill, terminate, stop, go_on };

class Process {
 public:
  virtual ~Process() = default;

  // Start it; once. Fails only where gate itself cannot work; a command that cannot be executed ends as
  // NotStarted, another script than was planned as ScriptChanged.
  virtual Status start() = 0;

  // Wait for output, for the launcher's end, for a signal, or until the time is up. Returns `by_output` only
  // where there is output and the launcher has not ended.
  virtual Woken wait(Duration limit) = 0;

  // Hand on, in blocks, what output there was when this was called. Ends early when `take` has enough.
  virtual void read(const std::function<More(std::string_view)>& take) = 0;

  // Tell whether the script itself has been started by now: its setup, if it has one, is done.
  virtual bool has_started() = 0;

  // Look how the launcher has ended; nothing where it has not.
  virtual std::optional<Outcome> ended() = 0;

  // Look whether nothing is left of the launcher and of all that came of it.
  virtual bool is_empty() = 0;

  // Stop it, as hard as that: `ask` and `end` come once, `kill` again and again until nothing is left. What
  // is gone is no failure.
  virtual void stop(Force force) = 0;

  // Send the signal to all of it that is alive, or to the processes of that rank (see launch/tree.h).
  // Returns to how many; 0 where nobody can send any, as in the jobs of an engine.
  virtual std::size_t signal(Signal, std::optional<int> /*rank*/) { return 0; }

  // Return what is left, for people: `pid 71 sleep 100`. Empty where nothing can be named.
  virtual std::vector<std::string> left() = 0;

  // Return what is left and what it does, for people: Ending::evidence.
  virtual std::vector<std::string> evidence() = 0;

  // Return what it runs on, as its processes show it now; nothing of it is known where nobody can look.
  virtual Fingerprint fingerprint() { return {}; }

  // How long to wait between two looks at the launcher.
  virtual Duration look_interval() const = 0;

  // Return how long it has been going on since start(). What it leaves out counts for no limit: the time in
  // which nobody could hear of it.
  virtual Duration elapsed() = 0;

  // Tell what comes first, and how long stopping it waits.
  virtual SetupStep setup() const { return SetupStep::none; }
  virtual Patience patience() const { return {}; }

  // Put what it alone knows of its end into the ending.
  virtual void complete(Ending&) {}
};

// Return the command as a process of this host, or why no system can start it. Every call of the process is
// to be made by one thread, and as long as that thread lives.
Result<std::unique_ptr<Process>> local_process(Command command, const Patience& patience = {});

// Start the process and see it to its end; hand its output to the listener, and stop it where a limit, the
// listener or a signal says so.
Result<Ending> supervise(Process& process, const Limits& limits, const Listener& listener);

}  // namespace gate::launch
