// The fault of a case: at which step it is due while the script runs, and what is said of it at the end.
//
// A script that a fault ended is started once more, in the same launch: on the same devices, with the same
// log. What a start printed is told apart by steps alone, as lines know nothing of starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/launch/runner.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/runs/fault.h"
#include "gate/model/runs/outcome.h"
#include "gate/places/environment.h"

namespace gate::app {

// The steps of one start: from its first one to its last one, and the most between two that were printed.
struct StartSteps {
  std::optional<std::int64_t> first;
  std::int64_t last = 0;
  std::int64_t widest = 1;

  void add(std::int64_t step);
};

// What is known of a fault when the launch is over.
struct FaultStory {
  Fault fault;
  std::optional<std::int64_t> last_step = {};       // that the run is to reach, as far as it is known
  std::optional<std::int64_t> asked_at = {};        // the last step by then; none: it never was due
  std::optional<launch::Inflicted> inflicted = {};  // none: the script had ended
  std::optional<Duration> away = {};  // from the fault to the second start; none: there was none
  std::vector<StartSteps> starts = {StartSteps{}};  // also where the script began anew by itself behind it
  std::optional<std::int64_t> slow = {};            // the step that a pause fell into

  std::optional<std::int64_t> checkpoint = {};  // the step of the newest one, between the starts
  Sentence torn_checkpoint = {};                // why that cannot be told where it should

  bool was_hit() const { return inflicted && inflicted->processes > 0; }
};

// Return why the run does not show that the training recovers, "" where it does: no fault was inflicted,
// nothing was resumed, or not the newest checkpoint, steps are missing.
Sentence why_not_shown(const FaultStory& story);

// Return the first step of the second start, or behind a pause; nothing where none came.
std::optional<std::int64_t> resumed_at(const FaultStory& story);

// Return what a person should know of it.
std::vector<Sentence> notes_on(const FaultStory& story);

// Return the steps whose speed says nothing: those that were computed twice, at least the first one of the
// second start, and the one that a pause fell into. None of a run that began from scratch: it is a whole one.
StepSet unsteady_steps(const FaultStory& story);

// Tell whether the script is to be started once more: the fault hit it, and it did not go on to its end.
bool wants_second_start(const FaultStory& story, const Outcome& outcome);

// Sees the steps of a launch as they come. A launch without a fault has none, and nothing is ever due.
class FaultWatch {
 public:
  explicit FaultWatch(const std::optional<Fault>& fault);

  bool is_there() const { return is_there_; }

  // Take note of a step line. `begins_anew`: a step number fell.
  void on_step(std::int64_t step, bool begins_anew, SteadyTime::Point at);

  // Take note of the step that the run is to reach, once that is known.
  void know(std::optional<std::int64_t> last_step);

  // Return the fault where it is due, once: the last step that was printed is behind it, or is it.
  std::optional<Fault> take_due(std::int64_t step, SteadyTime::Point at);

  // The script is started once more, so long after the fault.
  void begin_start(Duration away);

  const FaultStory& story() const { return story_; }

 private:
  bool is_there_;
  FaultStory story_;
  SteadyTime::Point asked_{};
};

}  // namespace gate::app
