#include "launch/supervisor.h"

#include <csignal>
#include <utility>

namespace gate::launch {

namespace {

// How a setup that did not get as far as the script ended. One that exits with 0 has kept the script from
// running.
Outcome ended_setup(const Outcome& outcome) {
  const bool failed = std::holds_alternative<Exited>(outcome) || std::holds_alternative<Killed>(outcome) ||
                      std::holds_alternative<TimedOut>(outcome);
  return failed ? Outcome(NotStarted{say({"setup {}", "setup {}"}, text(outcome))}) : outcome;
}

StepsExpected steps_of(const Limits& limits) {
  return limits.has_steps ? StepsExpected::yes : StepsExpected::no;
}

}  // namespace

Supervisor::Supervisor(const Limits& limits, SetupStep setup, const Patience& patience)
    : limits_(limits),
      patience_(patience),
      clocks_(limits, setup == SetupStep::none ? steps_of(limits) : StepsExpected::no),
      phase_(setup == SetupStep::none ? Phase::script : Phase::setup),
      total_known_(limits.total_known) {}

void Supervisor::start_script(Duration at) {
  clocks_ = Clocks(limits_, steps_of(limits_), at);
  phase_ = Phase::script;
}

void Supervisor::hear(const Pulse& pulse, Duration at) {
  if (!is_listening()) return;
  clocks_.hear(pulse, at);
  total_known_ |= pulse.total_known;
  if (pulse.fault && !fault_) fault_ = pulse.fault;
  lives_ |= struck_at_ &&
            (pulse.restarted || pulse.complete || (pulse.sample && at >= *struck_at_ + patience_.settle));
  if (pulse.stop) demand_ = pulse.stop;
}

const Fault* Supervisor::due() const { return fault_ && !was_struck_ && is_listening() ? &*fault_ : nullptr; }

void Supervisor::strike(std::size_t processes, Duration at) {
  was_struck_ = true;
  if (processes == 0) return;
  struck_at_ = at;
  if (fault_->action == FaultAction::pause) clocks_.leave_out(fault_->pause);
}

bool Supervisor::is_struck_down(Duration at) const {
  if (!struck_at_ || fault_->action == FaultAction::pause) return false;
  return !fault_->rank || (!lives_ && at - *struck_at_ >= limits_.grace);
}

// How the launcher ends then is seen later.
Phase Supervisor::fall(Phase asking) {
  has_fallen_ = true;
  const bool is_kill = fault_->action == FaultAction::kill && !fault_->rank;
  outcome_ = Killed{is_kill ? SIGKILL : SIGTERM};
  return is_kill ? Phase::killing : asking;
}

Phase Supervisor::step(const Seen& seen) {
  const Phase next = phase_ <= Phase::script ? step_script(seen) : step_rest(seen);
  if (next != std::exchange(phase_, next)) since_ = seen.at;
  return phase_;
}

// That it has ended comes first: what somebody demands of it comes too late.
Phase Supervisor::step_script(const Seen& seen) {
  if (!seen.ended && is_struck_down(seen.at)) return fall(Phase::asking);
  const std::optional<Outcome> outcome = seen.ended ? seen.ended : demanded(seen);
  if (!outcome) return phase_;
  outcome_ = *outcome;
  if (phase_ == Phase::setup) outcome_ = ended_setup(outcome_);
  if (!seen.ended) return Phase::asking;
  if (phase_ == Phase::setup) return Phase::ending;
  if (is_incomplete(outcome_)) return Phase::lingering;
  script_time_ = seen.at;
  return Phase::settling;
}

Phase Supervisor::step_rest(const Seen& seen) {
  switch (phase_) {
    case Phase::lingering:
      if (seen.is_empty) {
        script_time_ = seen.at;
        return Phase::settling;
      }
      if (is_struck_down(seen.at)) return fall(Phase::ending);
      if (const std::optional<Outcome> demand = demanded(seen)) {
        outcome_ = *demand;
        return Phase::ending;
      }
      return phase_;
    case Phase::settling:
      if (seen.is_empty) return Phase::done;
      return is_over(patience_.settle, seen) ? Phase::ending : phase_;
    case Phase::asking:
      if (has_fallen_ && seen.ended) outcome_ = *seen.ended;
      return seen.ended || is_over(limits_.grace, seen) ? Phase::ending : phase_;
    case Phase::ending:
      if (seen.is_empty) return Phase::done;
      return is_over(patience_.term, seen) ? Phase::killing : phase_;
    case Phase::killing:
      return seen.is_empty || seen.at - since_ >= patience_.kill ? Phase::done : phase_;
    case Phase::setup:
    case Phase::script:
    case Phase::done:
      break;
  }
  return phase_;
}

bool Supervisor::is_over(Duration limit, const Seen& seen) const {
  return seen.has_second_signal || seen.at - since_ >= limit;
}

std::optional<Outcome> Supervisor::demanded(const Seen& seen) const {
  if (seen.interrupted) return *seen.interrupted;
  if (demand_) return demand_;
  return clocks_.expired(seen.at);
}

bool Supervisor::is_incomplete(const Outcome& outcome) const {
  return ended_well(outcome) && limits_.wait_for_tree && limits_.has_steps && total_known_ &&
         !clocks_.complete();
}

}  // namespace gate::launch
