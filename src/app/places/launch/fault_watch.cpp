#include "places/launch/fault_watch.h"

#include <algorithm>
#include <variant>

namespace gate::app {

namespace {

Sentence step_words(std::int64_t step) { return say({"step {}", "第 {} 步"}, step); }

Sentence steps_words(std::int64_t first, std::int64_t last) {
  return first == last ? step_words(first) : say({"steps {}-{}", "第 {}-{} 步"}, first, last);
}

// What began behind the fault; nullptr where nothing did.
const StartSteps* second_of(const FaultStory& story) {
  return story.starts.size() > 1 ? &story.starts[1] : nullptr;
}

// When the fault was due, for people.
Sentence when_words(const FaultStory& story) {
  const std::optional<std::int64_t> due = story.fault.due(story.last_step);
  return due ? step_words(*due) : say({"{}% of the run", "运行的 {}%"}, story.fault.percent);
}

Sentence what_hit_nothing(const FaultStory& story) {
  if (!story.fault.due(story.last_step) && !story.asked_at)
    return say({"it is not known which step the last one is, and {} is none then; say steps",
                "不知道最后一步是哪一步，因此{}无从确定；请写明 steps"},
               when_words(story));
  if (!story.asked_at) return say({"the run ended before {}", "运行在{}之前就结束了"}, when_words(story));
  const Sentence at = step_words(*story.asked_at);
  if (!story.inflicted) return say({"the run had ended when gate saw {}", "gate 看到{}时运行已经结束"}, at);
  if (!story.fault.rank) return say({"there was no process at {}", "在{}没有进程"}, at);
  return say({"there was no process of rank {} at {}", "在{1}没有 rank {0} 的进程"}, *story.fault.rank, at);
}

Sentence why_not_hit(const FaultStory& story) {
  return say({"{}: no fault was inflicted", "{}：没有注入故障"}, what_hit_nothing(story));
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
Sentence why_without_second(const FaultStory& story) {
  if (story.fault.action != FaultAction::pause)
    return say(
        {"it went on without a break behind {}: nothing was resumed, and what was hit may be no part of the "
         "training",
         "它在{}之后没有中断：没有续训，被命中的可能不属于训练"},
        step_words(*story.asked_at));
  if (story.starts.back().last > *story.asked_at) return {};
  return say({"no step came behind the pause", "暂停之后没有再出现步"});
}

Sentence why_not_gone_on(const FaultStory& story) {
  const StartSteps* second = second_of(story);
  if (second == nullptr) return why_without_second(story);
  const StartSteps& first = story.starts.front();
  if (!story.torn_checkpoint.empty() && !story.fault.may_begin_anew) return story.torn_checkpoint;
  if (!second->first) {
    const Sentence silent = say({"its second start printed no step", "第二次启动没有打印任何一步"});
    const bool had_ended = story.last_step && first.last >= *story.last_step;
    return had_ended ? silent + say({", for none was left: choose an earlier step for the fault",
                                     "，因为已没有剩余的步：请为故障选更早的一步"})
                     : silent;
  }
  const bool is_demanded = !story.fault.may_begin_anew;
  const Sentence at = step_words(*second->first);
  const std::int64_t widest = std::max(first.widest, second->widest);
  if (is_from_scratch(story) && !is_demanded) return {};
  if (is_from_scratch(story)) return say({"began at {}: nothing was resumed", "从{}开始：没有续训"}, at);
  const std::int64_t done = *second->first + (first.first == 0 ? 1 : 0);  // of a log that counts from 0
  const std::int64_t behind = done - story.checkpoint.value_or(done - 1);
  if (is_demanded && (behind < 1 || behind > widest))
    return say({"began at {}: the newest checkpoint was of {}", "从{}开始：最新的检查点是{}的"}, at,
               step_words(*story.checkpoint));
  if (*second->first > first.last + widest)
    return say({"{} missing: its second start began behind them", "缺少{}：第二次启动从其后开始"},
               steps_words(first.last + 1, *second->first - 1));
  return {};
}

// How it went on.
Sentence sequel_words(const FaultStory& story) {
  const StartSteps* second = second_of(story);
  Sentence text;
  if (story.away) text = say({"; started again after {}", "；{} 之后再次启动"}, rough(*story.away));
  if (second == nullptr) return text + say({"; it went on by itself", "；它自行继续"});
  if (!second->first) return text + say({"; it printed no further step", "；它没有再打印任何一步"});
  const Sentence at = step_words(*second->first);
  text += story.away ? say({"; went on at {}", "；从{}继续"}, at)
                     : say({"; it went on by itself at {}", "；它自行从{}继续"}, at);
  if (const auto twice = computed_twice(story)) {
    const Sentence steps = steps_words(twice->first, twice->last);
    text += twice->first == twice->last ? say({"; {} was computed twice", "；{}计算了两次"}, steps)
                                        : say({"; {} were computed twice", "；{}计算了两次"}, steps);
  }
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

Sentence why_not_shown(const FaultStory& story) {
  return story.was_hit() ? why_not_gone_on(story) : why_not_hit(story);
}

std::optional<std::int64_t> resumed_at(const FaultStory& story) {
  if (const StartSteps* second = second_of(story)) return second->first;
  const bool went_on = story.asked_at && story.starts.back().last > *story.asked_at;
  return went_on ? std::optional(*story.asked_at + 1) : std::nullopt;
}

std::vector<Sentence> notes_on(const FaultStory& story) {
  if (!story.was_hit()) return {};
  std::vector<Sentence> notes{done_text(story.fault, step_words(*story.asked_at)) + sequel_words(story)};
  const StartSteps* second = second_of(story);
  if (second != nullptr && second->first && !story.checkpoint && !story.fault.may_begin_anew)
    notes.push_back(say({"of which step the checkpoint was that it went on after is not known",
                         "不知道它是从哪一步的检查点继续的"}));
  if (const StepSet unsteady = unsteady_steps(story); !unsteady.empty())
    notes.push_back(say(
        {"the speed of {} is not compared: the training had just gone on", "{}的速度不比较：训练刚刚恢复"},
        steps_words(unsteady.front(), unsteady.back())));
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
