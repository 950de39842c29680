#include "places/launch/fault_watch.h"

#include <algorithm>
#include <variant>

namespace gate::app {

namespace {

std::string step_words(std::int64_t step) { return "step " + std::to_string(step); }

std::string steps_words(std::int64_t first, std::int64_t last) {
  return first == last ? step_words(first) : "steps " + std::to_string(first) + "-" + std::to_string(last);
}

// What began behind the fault; nullptr where nothing did.
const StartSteps* second_of(const FaultStory& story) {
  return story.starts.size() > 1 ? &story.starts[1] : nullptr;
}

// When the fault was due, for people.
std::string when_words(const FaultStory& story) {
  const std::optional<std::int64_t> due = story.fault.due(story.last_step);
  return due ? step_words(*due) : std::to_string(story.fault.percent) + "% of the run";
}

std::string why_not_hit(const FaultStory& story) {
  constexpr const char* none = ": no fault was inflicted";
  if (!story.fault.due(story.last_step) && !story.asked_at)
    return "it is not known which step the last one is, and " + when_words(story) +
           " is none then; say steps" + none;
  if (!story.asked_at) return "the run ended before " + when_words(story) + none;
  if (!story.inflicted) return "the run had ended when gate saw " + step_words(*story.asked_at) + none;
  const std::string rank = story.fault.rank ? " of rank " + std::to_string(*story.fault.rank) : "";
  return "there was no process" + rank + " at " + step_words(*story.asked_at) + none;
}

bool has_reached_its_end(const FaultStory& story) {
  return story.last_step && story.starts.back().last >= *story.last_step;
}

// The steps that both starts computed; nothing where there are none.
std::optional<StepSet::Range> computed_twice(const FaultStory& story) {
  const StartSteps* second = second_of(story);
  const StartSteps& first = story.starts.front();
  if (second == nullptr || !second->first || !first.first || *second->first > first.last) return std::nullopt;
  return StepSet::Range{std::max(*second->first, *first.first), std::min(first.last, second->last)};
}

bool is_from_scratch(const FaultStory& story) {
  const StartSteps* second = second_of(story);
  return second != nullptr && second->first && story.starts.front().first &&
         *second->first <= *story.starts.front().first;
}

// Of a training that printed on as if nothing had been done to it: a pause is to be such, and nothing else.
std::string why_without_second(const FaultStory& story) {
  if (story.fault.action != FaultAction::pause)
    return "it went on without a break behind " + step_words(*story.asked_at) +
           ": nothing was resumed, and what was hit may be no part of the training";
  return story.starts.back().last > *story.asked_at ? "" : "no step came behind the pause";
}

std::string why_not_gone_on(const FaultStory& story) {
  const StartSteps* second = second_of(story);
  if (second == nullptr) return why_without_second(story);
  const StartSteps& first = story.starts.front();
  if (!story.torn_checkpoint.empty() && !story.fault.may_begin_anew) return story.torn_checkpoint;
  if (!second->first)
    return has_reached_its_end(story) || first.last >= story.last_step.value_or(first.last + 1)
               ? ""
               : "its second start printed no step";
  const bool is_demanded = !story.fault.may_begin_anew;
  const std::string at = "began at " + step_words(*second->first) + ": ";
  const std::int64_t widest = std::max(first.widest, second->widest);
  if (is_from_scratch(story)) return is_demanded ? at + "nothing was resumed" : "";
  const std::int64_t done = *second->first + (first.first == 0 ? 1 : 0);  // of a log that counts from 0
  const std::int64_t behind = done - story.checkpoint.value_or(done - 1);
  if (is_demanded && (behind < 1 || behind > widest))
    return at + "the newest checkpoint was of " + step_words(*story.checkpoint);
  if (*second->first > first.last + widest)
    return steps_words(first.last + 1, *second->first - 1) + " missing: its second start began behind them";
  return "";
}

// How it went on.
std::string sequel_words(const FaultStory& story) {
  const StartSteps* second = second_of(story);
  std::string text;
  if (story.away) text = "; started again after " + rough(*story.away);
  if (second == nullptr) return text + "; it went on by itself";
  if (!second->first) return text + "; it printed no further step";
  text += (story.away ? "; went on at " : "; it went on by itself at ") + step_words(*second->first);
  if (const auto twice = computed_twice(story))
    text += "; " + steps_words(twice->first, twice->last) +
            (twice->first == twice->last ? " was computed twice" : " were computed twice");
  return text;
}

}  // namespace

void StartSteps::add(std::int64_t step) {
  if (!first)
    first = step;
  else if (step > last)
    widest = std::max(widest, step - last);
  last = step;
}

std::string why_not_shown(const FaultStory& story) {
  return story.was_hit() ? why_not_gone_on(story) : why_not_hit(story);
}

std::vector<std::string> notes_on(const FaultStory& story) {
  if (!story.was_hit()) return {};
  std::vector<std::string> notes{done_words(story.fault) + " at " + step_words(*story.asked_at) +
                                 ", as fault = " + to_string(story.fault) + " says" + sequel_words(story)};
  const StartSteps* second = second_of(story);
  if (second != nullptr && second->first && !story.checkpoint && !story.fault.may_begin_anew)
    notes.push_back("of which step the checkpoint was that it went on after is not known");
  if (const StepSet unsteady = unsteady_steps(story); !unsteady.empty())
    notes.push_back("the speed of " + steps_words(unsteady.front(), unsteady.back()) +
                    " is not compared: the training had just gone on");
  return notes;
}

StepSet unsteady_steps(const FaultStory& story) {
  if (is_from_scratch(story)) return {};
  if (const auto twice = computed_twice(story)) return StepSet(*twice);
  const StartSteps* second = second_of(story);
  const std::optional<std::int64_t> step = second != nullptr ? second->first : story.slow;
  return step ? StepSet(StepSet::Range{*step, *step}) : StepSet{};
}

bool wants_second_start(const FaultStory& story, const Outcome& outcome) {
  const bool is_its_own = std::holds_alternative<Exited>(outcome) ||
                          std::holds_alternative<Killed>(outcome) || std::holds_alternative<Hung>(outcome);
  if (!story.was_hit() || !is_its_own) return false;
  const bool may_go_on = story.fault.rank || story.fault.action == FaultAction::pause;
  return !ended_well(outcome) || !(story.last_step ? has_reached_its_end(story) : may_go_on);
}

FaultWatch::FaultWatch(const std::optional<Fault>& fault)
    : is_there_(fault.has_value()), story_{fault.value_or(Fault{})} {}

void FaultWatch::on_step(std::int64_t step, bool begins_anew, SteadyTime::Point at) {
  if (!is_there_) return;
  const bool is_asked = story_.asked_at.has_value();
  if (begins_anew && is_asked && story_.starts.back().first) story_.starts.emplace_back();
  story_.starts.back().add(step);
  const bool is_pause = story_.fault.action == FaultAction::pause;
  if (is_asked && is_pause && !story_.slow && at - asked_ >= story_.fault.pause) story_.slow = step;
}

void FaultWatch::know(std::optional<std::int64_t> last_step) {
  if (last_step) story_.last_step = last_step;
}

std::optional<Fault> FaultWatch::take_due(std::int64_t step, SteadyTime::Point at) {
  if (!is_there_) return std::nullopt;
  const std::optional<std::int64_t> due = story_.fault.due(story_.last_step);
  if (story_.asked_at || !due || step < *due) return std::nullopt;
  story_.asked_at = step;
  asked_ = at;
  return story_.fault;
}

void FaultWatch::begin_start(Duration away) {
  story_.away = away;
  story_.starts.emplace_back();
}

}  // namespace gate::app
