// What becomes of a launch, decided from what is seen of it and when: no descriptor, no /proc, no clock. So a
// hang means the same of a script of this host, behind ssh, and in a job of a scheduler (decision 27).
//
//   setup -> script -> lingering -> settling -> done        it ends by itself
//      |        |          |            |
//      +--------+-> asking +------------+-> ending -> killing -> done
//
// The launcher is asked first and alone: scripts restore moved folders and stop their services in TERM traps,
// and a rank that dies under them would look like a crash. bash runs a trap only when its foreground child
// has ended, so a launcher that is still there after the grace gets its chance while all the rest is asked to
// end. What is still there then is killed.
//
// A fault that is to be inflicted is heard like everything else. One that kills all leads to `killing` at
// once, one that tells the launcher to end to `asking`. One of a rank changes nothing at first: if the script
// neither ends within the grace nor shows that it lives, it is stopped. It lives where a new attempt begins,
// the last step comes, or a sample comes later than what was in the pipe.
#pragma once

#include <optional>

#include "gate/launch/process.h"
#include "launch/clocks.h"

namespace gate::launch {

enum class Phase {
  setup,
  script,
  lingering,  // the script has exited with 0 short of its steps; what it left running may do the rest
  settling,   // the script has ended; what it left may end by itself: `> >(tee log)`
  asking,     // the launcher is asked to end (TERM)
  ending,     // all is asked to end
  killing,
  done,
};

// What is seen at a time. What is not looked at in a phase may be left as it is here.
struct Seen {
  Duration at{};                                // since the launch
  std::optional<Outcome> ended = std::nullopt;  // how the launcher ended
  bool is_empty = false;                        // of the launcher and all that came of it nothing is left
  std::optional<Interrupted> interrupted = std::nullopt;  // a person or CI wants it to end
  bool has_second_signal = false;                         // at once
};

class Supervisor {
 public:
  Supervisor(const Limits& limits, SetupStep setup, const Patience& patience);

  // The setup is done, and the script begins.
  void start_script(Duration at);

  // Take note of output that was there at that time. It counts in the first three phases: what is stopped has
  // no say any more.
  void hear(const Pulse& pulse, Duration at);

  // Return the fault that is to be inflicted now, nullptr where there is none.
  const Fault* due() const;

  // Take note that it hit so many processes.
  void strike(std::size_t processes, Duration at);

  // Decide what phase the launch is in, now that this is seen. Output that was there before is to be heard
  // first.
  Phase step(const Seen& seen);

  Phase phase() const { return phase_; }

  // Tell whether output is heeded.
  bool is_listening() const { return phase_ <= Phase::lingering; }

  // Tell whether something has asked for the end already: no further output need be read.
  bool has_demand() const { return demand_.has_value(); }

  // How it ended; good from Phase::settling on.
  const Outcome& outcome() const { return outcome_; }

  // From the launch to the end of the script; 0 where it did not end by itself.
  Duration script_time() const { return script_time_; }

 private:
  Phase step_script(const Seen& seen);
  Phase step_rest(const Seen& seen);
  std::optional<Outcome> demanded(const Seen& seen) const;
  bool is_incomplete(const Outcome& outcome) const;
  bool is_over(Duration limit, const Seen& seen) const;
  bool is_struck_down(Duration at) const;
  Phase fall(Phase asking);

  Limits limits_;
  Patience patience_;
  Clocks clocks_;
  Phase phase_;
  Duration since_{};               // that the phase began
  std::optional<Outcome> demand_;  // of who reads the output
  bool total_known_;
  Outcome outcome_;
  Duration script_time_{};
  std::optional<Fault> fault_;         // that was heard of
  bool was_struck_ = false;            // it needs not be inflicted any more
  std::optional<Duration> struck_at_;  // none: it hit nothing
  bool lives_ = false;                 // after it
  bool has_fallen_ = false;            // by it
};

}  // namespace gate::launch
