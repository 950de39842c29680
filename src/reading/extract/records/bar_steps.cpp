#include "extract/records/bar_steps.h"

#include <algorithm>

namespace gate::extract {

namespace {

// Trainings log at round steps: each 10, 50, 500.
int roundness(std::int64_t step) {
  int zeros = 0;
  for (; step != 0 && step % 10 == 0; step /= 10) ++zeros;
  return zeros;
}

std::int64_t roundest(std::int64_t first, std::int64_t last) {
  constexpr std::int64_t most = 10'000;  // a bar that leaps further is no bar of steps
  std::int64_t best = first;
  for (std::int64_t step = first; step <= std::min(last, first + most); ++step)
    if (roundness(step) > roundness(best)) best = step;
  return best;
}

}  // namespace

void BarSteps::read(const CleanLine& line) {
  FileBar& bar = bars_[line.place.file];
  if (const std::optional<ShownStep> drawn = shown_step(line.text)) draw(bar, *drawn);
  if (bar.own) drawn_ = line.place.file;
  if (bar.is_counted || line.cut_in_pieces) return on_line_(line);
  const LineContent content = look_(line.text);
  if (content.stepless) return hold(bar, *content.stepless, line);
  if (content.other) let_go(bar, std::nullopt);
  on_line_(line);
}

// A bar that falls is of a run that began again. Drawings of an evaluation's bar stand between those of the
// training's.
void BarSteps::draw(FileBar& bar, const ShownStep& drawn) {
  const auto is_of = [&](const std::optional<ShownStep>& other) {
    return other && other->total == drawn.total;
  };
  if (!bar.held.empty() && (is_of(bar.own) || is_of(bar.before))) let_go(bar, drawn);
  if (is_of(bar.own) && drawn.step < bar.own->step) bar.steps.clear();
  const bool is_largest = bar.is_counted && (!bar.own || drawn.total > bar.own->total);
  if (is_of(bar.own) || is_largest) bar.own = drawn;
  bar.last = drawn;
}

void BarSteps::hold(FileBar& bar, std::size_t kind, const CleanLine& line) {
  const auto same = std::ranges::find(bar.held, kind, &HeldLine::kind);
  const bool is_second = same != bar.held.end() && !same->text.ends_with(line.text);
  bar.is_counted = !bar.last || (is_second && bar.steps.empty());
  if (is_second) let_go(bar, std::nullopt);
  if (bar.is_counted) return on_line_(line);
  if (bar.held.empty()) bar.before = bar.last;
  bar.held.push_back({kind, std::string(line.text), std::string(line.outer), std::string(line.source), line});
  ++held_;
}

BarSteps::Between BarSteps::between(FileBar& bar, const std::optional<ShownStep>& after) {
  const std::int64_t total = after ? after->total : (bar.own ? bar.own : bar.before)->total;
  if (bar.own && bar.own->total != total) {
    bar.own.reset();
    bar.steps.clear();
  }
  if (!bar.own && bar.before->total == total) bar.own = bar.before;
  if (!bar.own) bar.own = after;
  constexpr std::int64_t left_out = 1;  // second, at most, as it is shown
  Between between{std::max<std::int64_t>(bar.own->step, 1),
                  after ? std::optional(after->step) : std::nullopt};
  if (after) {
    const bool timed = bar.own->step > 0 && bar.own->seconds && after->seconds;
    between.is_first_sure = timed && *after->seconds - *bar.own->seconds > left_out;
    bar.own = after;
  }
  return between;
}

// A line that was written twice is of one step. One whose step the next drawing alone shows was written
// before the bar moved on: trainings log at round steps, so the rounder one of the two is it.
std::int64_t BarSteps::take_step(FileBar& bar, const HeldLine& held, const Between& between) {
  const auto [place, is_first] = bar.steps.try_emplace(held.kind);
  NumberedLine& before = place->second;
  if (!is_first && before.text.ends_with(held.text) && before.step >= between.first) return before.step;
  const std::int64_t next = before.step + (is_first ? 0 : bar.interval);
  std::int64_t first = between.first;
  const std::int64_t last = std::max(between.last.value_or(std::min(next, bar.own->total)), first);
  if (last > before.step) first = std::max(first, before.step + 1);
  const bool goes_on = !is_first && bar.interval > 0 && next >= first && next <= last;
  const bool is_sure = between.is_first_sure && first == between.first && last > first + 1;
  const std::int64_t step = goes_on ? next : is_sure ? first : roundest(first, last);
  const std::int64_t interval = step - before.step;
  if (!is_first && interval > 0 && (bar.interval == 0 || interval % bar.interval != 0))
    bar.interval = interval;
  before = {step, held.text};
  return step;
}

void BarSteps::let_go(FileBar& bar, const std::optional<ShownStep>& after) {
  const std::vector<HeldLine> all = std::exchange(bar.held, {});
  held_ -= all.size();
  if (all.empty()) return;
  const auto range = bar.is_counted ? std::nullopt : std::optional(between(bar, after));
  for (const HeldLine& held : all) {
    CleanLine line = held.line;
    line.text = held.text;
    line.outer = held.outer;
    line.source = held.source;
    line.own = held.text.size();
    if (range && steps_of_ == StepsOf::bar) line.shown = take_step(bar, held, *range);
    on_line_(line);
  }
}

void BarSteps::end_file(std::uint32_t file) {
  if (const auto bar = bars_.find(file); bar != bars_.end()) let_go(bar->second, std::nullopt);
}

std::optional<ShownStep> BarSteps::shown() const { return drawn_ ? bars_.at(*drawn_).own : std::nullopt; }

}  // namespace gate::extract
