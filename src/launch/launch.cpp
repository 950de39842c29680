#include "launch/launch.h"

#include <algorithm>
#include <utility>

#include "launch/command.h"
#include "launch/evidence.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

constexpr Duration tick{100};  // between two looks at the clocks and at job.interrupted
constexpr Duration tick_without_pidfd{20};
constexpr Duration beside_interval{1000};    // between two looks at what the script writes elsewhere
constexpr Duration tree_look_interval{200};  // between two looks at a tree that nothing announces the end of

std::vector<std::string> descriptions(const std::vector<Process>& processes) {
  std::vector<std::string> words;
  for (const Process& process : processes) words.push_back(describe(process));
  return words;
}

// How a setup that did not get as far as the script ended. One that exits with 0 has kept the script from
// running.
Outcome ended_setup(const Outcome& outcome) {
  const bool failed = std::holds_alternative<Exited>(outcome) || std::holds_alternative<Killed>(outcome) ||
                      std::holds_alternative<TimedOut>(outcome);
  return failed ? Outcome(NotStarted{"setup " + to_string(outcome)}) : outcome;
}

bool is_stuck(const Outcome& outcome) {
  return std::holds_alternative<Hung>(outcome) || std::holds_alternative<TimedOut>(outcome);
}

constexpr const char* nameless = "processes that come and go too fast to be named";

}  // namespace

Result<std::unique_ptr<Launch>> Launch::prepare(const Job& job, const Patience& patience) {
  auto pipe = make_pipe(Reads::at_once);
  if (!pipe) return tl::unexpected(pipe.error());
  return std::make_unique<Launch>(job, patience, std::move(*pipe));
}

Launch::Launch(const Job& job, const Patience& patience, Pipe pipe)
    : job_(job),
      patience_(patience),
      output_(std::move(pipe.read)),
      write_end_(std::move(pipe.write)),
      tree_(job.cookie),
      stop_(
          tree_, patience, [this] { return job_.hurried && job_.hurried(); },
          [this](Duration limit) { breathe(limit); }),
      total_known_(job.total_known) {}

Launch::~Launch() {
  if (!swept_) kill_all(tree_, child_ ? &*child_ : nullptr, patience_.kill);
}

Result<Ending> Launch::run() {
  if (auto started = start(); !started) return tl::unexpected(started.error());
  ending_.outcome = attend();
  if (is_stuck(ending_.outcome)) ending_.evidence = evidence_of(tree_.alive());
  sweep();
  ending_.duration = elapsed();
  return std::move(ending_);
}

Outcome Launch::attend() {
  Clocks clocks = job_.setup.empty() ? script_clocks() : Clocks(job_.limits, Steps::none);
  const Outcome outcome = watch_child(clocks);
  if (!child_->is_ready()) return ended_setup(outcome);
  if (!child_->has_ended()) return outcome;
  if (is_incomplete(clocks, outcome))
    if (auto verdict = watch_tree(clocks)) return *verdict;
  ending_.script_time = elapsed();
  let_settle();
  return outcome;
}

Clocks Launch::script_clocks() const {
  return {job_.limits, job_.has_steps ? Steps::expected : Steps::none, elapsed()};
}

Status Launch::start() {
  auto child = Child::start(make_command(job_, own_environment()), write_end_);
  if (!child) return tl::unexpected(child.error());
  child_.emplace(std::move(*child));
  write_end_.close();
  tree_.add(child_->process());
  swept_ = false;
  return {};
}

// The clock is read before the pipe, so that what waited in it while gate was busy counts as heard in time;
// and the child is looked at before the pipe, so that all it wrote has been read when its end is noticed.
Outcome Launch::watch_child(Clocks& clocks) {
  for (bool ready = job_.setup.empty();;) {
    const Woken woken = output_.wait(child_->pidfd(), child_->pidfd() >= 0 ? tick : tick_without_pidfd);
    const Duration at = elapsed();
    const bool ended = has_ended(woken, at);
    if (!ready && (ready = child_->is_ready())) clocks = script_clocks();
    listen(clocks, at);
    if (ready) look_beside(clocks, at);
    if (ended) return *child_->look();
    if (auto verdict = demanded(clocks, at)) return *verdict;
  }
}

// Output alone says nothing of processes: they are looked at once in a tick then.
bool Launch::has_ended(Woken woken, Duration at) {
  if (woken == Woken::by_output && at < next_look_) return false;
  next_look_ = at + tick;
  Registry::instance().reap_orphans();
  return child_->look().has_value();
}

std::optional<Outcome> Launch::watch_tree(Clocks& clocks) {
  for (Duration next_look = elapsed();;) {
    const Duration at = elapsed();
    if (at >= next_look) {
      if (tree_.is_empty()) return {};
      next_look = at + tree_look_interval;
    }
    listen(clocks, at);
    look_beside(clocks, at);
    if (auto verdict = demanded(clocks, at)) return verdict;
    output_.wait(-1, tick);
  }
}

void Launch::let_settle() {
  swept_ = stop_.settles(patience_.settle);
  if (swept_) return;
  ending_.leftovers = descriptions(tree_.alive());
  if (ending_.leftovers.empty()) ending_.leftovers = {nameless};
}

void Launch::sweep() {
  if (!swept_) {
    if (!child_->has_ended()) stop_.launcher(*child_, job_.limits.grace);
    ending_.survivors = descriptions(stop_.rest(&*child_));
    if (ending_.survivors.empty() && !tree_.is_empty()) {
      ending_.survivors = {"processes that /proc does not show"};
      std::erase(ending_.leftovers, nameless);
    }
  }
  swept_ = true;
  read_on();
}

void Launch::listen(Clocks& clocks, Duration at) {
  output_.read([&](std::string_view output) {
    Pulse pulse = hand_on(output);
    clocks.hear(pulse, at);
    total_known_ |= pulse.total_known;
    if (pulse.stop) demand_ = std::move(pulse.stop);
    return demand_ ? More::enough : More::wanted;
  });
}

void Launch::look_beside(Clocks& clocks, Duration at) {
  if (!job_.on_look || at < next_look_beside_) return;
  next_look_beside_ = at + beside_interval;
  Pulse pulse = job_.on_look();
  clocks.hear(pulse, at);
  total_known_ |= pulse.total_known;
  if (pulse.stop) demand_ = std::move(pulse.stop);
}

void Launch::read_on() {
  output_.read([this](std::string_view output) {
    hand_on(output);
    return More::wanted;
  });
}

void Launch::breathe(Duration limit) {
  const bool running = !child_->has_ended();
  const Duration end = elapsed() + limit;
  do {
    output_.wait(child_->pidfd(), std::max(Duration{}, end - elapsed()));
    read_on();
    if (running && child_->look()) return;
  } while (elapsed() < end);
}

Pulse Launch::hand_on(std::string_view output) const {
  return job_.on_output ? job_.on_output(output) : Pulse{};
}

std::optional<Outcome> Launch::demanded(const Clocks& clocks, Duration at) const {
  const auto signal = job_.interrupted ? job_.interrupted() : std::nullopt;
  if (signal) return Interrupted{*signal};
  if (demand_) return demand_;
  return clocks.expired(at);
}

bool Launch::is_incomplete(const Clocks& clocks, const Outcome& outcome) const {
  return ended_well(outcome) && job_.wait_for_tree && job_.has_steps && total_known_ && !clocks.complete();
}

Duration Launch::elapsed() const {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - began_);
}

}  // namespace gate::launch
