#include <algorithm>
#include <thread>
#include <utility>

#include "gate/base/time.h"
#include "gate/launch/process.h"
#include "gate/launch/runner.h"
#include "gate/launch/waiting.h"
#include "launch/command.h"
#include "launch/local_process.h"
#include "launch/supervisor.h"

namespace gate::launch {

namespace {

constexpr Duration poll_interval{1000};      // between two looks at what the script writes elsewhere
constexpr Duration tree_look_interval{200};  // between two looks at a tree that nothing announces the end of
constexpr Duration first_fingerprint_pause{1000};  // between two looks at what it runs on, doubled likewise
constexpr int most_fingerprint_looks = 9;          // over four minutes
constexpr Duration first_pause{1};  // between two looks at what is to end; each is twice the one before
constexpr Duration longest_pause{50};

const Sentence nameless{"processes that come and go too fast to be named",
                        "出现和消失太快、来不及记名的进程"};

Signal signal_of(FaultAction action) {
  if (action == FaultAction::pause) return Signal::stop;
  return action == FaultAction::kill ? Signal::kill : Signal::terminate;
}

bool is_stuck(const Outcome& outcome) {
  return std::holds_alternative<Hung>(outcome) || std::holds_alternative<TimedOut>(outcome);
}

// One launch while it goes on.
class Supervision {
 public:
  Supervision(Process& process, const Limits& limits, const Listener& listener)
      : process_(process), supervisor_(limits, process.setup(), process.patience()), listener_(listener) {}

  Ending run() {
    while (supervisor_.phase() != Phase::done) {
      const Phase phase = supervisor_.phase();
      const Seen seen = look(wait());
      begin_script(seen.at);
      read(seen.at);
      poll(seen.at);
      if (!seen.ended) look_what_it_runs_on(seen.at);
      inflict(seen);
      if (go_on_at_ && seen.at >= *go_on_at_) go_on();
      has_begun_ = supervisor_.step(seen) != phase;
      if (has_begun_) enter(phase, seen);
      if (supervisor_.phase() == Phase::killing) process_.stop(Force::kill);
    }
    ending_.outcome = supervisor_.outcome();
    ending_.script_time = supervisor_.script_time();
    ending_.duration = elapsed();
    process_.complete(ending_);
    return std::move(ending_);
  }

 private:
  Woken wait() {
    if (has_begun_) return Woken::otherwise;
    if (supervisor_.is_listening()) return process_.wait(process_.look_interval());
    breathe();
    return Woken::otherwise;
  }

  // Let the pause go by, or less where the launcher ends in it, while output is read. It is no limit: it goes
  // by, too, while the host cannot be heard.
  void breathe() {
    const bool was_running = !process_.ended();
    const Duration end = elapsed() + pause_;
    const SteadyClock::time_point begin = SteadyClock::now();
    do {
      process_.wait(std::max(Duration{}, end - elapsed()));
      read(elapsed());
      if (was_running && process_.ended()) break;
    } while (elapsed() < end && since(begin) < pause_);
    pause_ = std::min(2 * pause_, longest_pause);
  }

  // The clock is read before the pipe, so that what waited in it while gate was busy counts as heard in time;
  // and the launcher is looked at before the pipe, so that all it wrote has been read when its end is
  // noticed.
  Seen look(Woken woken) {
    Seen seen{.at = elapsed()};
    switch (supervisor_.phase()) {
      case Phase::setup:
      case Phase::script:
        seen.interrupted = interrupted();
        if (is_due(woken, seen.at)) seen.ended = process_.ended();
        break;
      case Phase::lingering:
        seen.interrupted = interrupted();
        if (seen.at >= next_look_) seen.is_empty = process_.is_empty();
        if (seen.at >= next_look_) next_look_ = seen.at + tree_look_interval;
        break;
      case Phase::asking:
        seen.ended = process_.ended();
        seen.has_second_signal = has_second_signal();
        break;
      case Phase::settling:
      case Phase::ending:
      case Phase::killing:
        seen.is_empty = process_.is_empty();
        seen.has_second_signal = has_second_signal();
        break;
      case Phase::done:
        break;
    }
    return seen;
  }

  // Output alone says nothing of processes: they are looked at once in an interval then.
  bool is_due(Woken woken, Duration at) {
    if (woken == Woken::by_output && at < next_look_) return false;
    next_look_ = at + process_.look_interval();
    return true;
  }

  void begin_script(Duration at) {
    if (supervisor_.phase() == Phase::setup && process_.has_started()) supervisor_.start_script(at);
  }

  void read(Duration at) {
    process_.read([&](std::string_view output) {
      hear(listener_.on_output ? listener_.on_output(output) : Pulse{}, at);
      return supervisor_.is_listening() && supervisor_.has_demand() ? More::enough : More::wanted;
    });
  }

  void poll(Duration at) {
    const bool heeded = supervisor_.is_listening() && supervisor_.phase() != Phase::setup;
    if (!heeded || !listener_.on_poll || at < next_poll_) return;
    next_poll_ = at + poll_interval;
    hear(listener_.on_poll(), at);
  }

  void hear(const Pulse& pulse, Duration at) {
    has_sample_ |= pulse.sample;
    supervisor_.hear(pulse, at);
  }

  // At its first sample, when all that it needs is loaded; some scripts show it a little later.
  void look_what_it_runs_on(Duration at) {
    const bool may_look = has_sample_ && supervisor_.phase() == Phase::script && at >= next_fingerprint_;
    if (!may_look || fingerprint_looks_ == most_fingerprint_looks) return;
    next_fingerprint_ = at + (first_fingerprint_pause * (1 << fingerprint_looks_++));
    Fingerprint seen = process_.fingerprint();
    const int known = knowledge_of(seen), before = knowledge_of(ending_.fingerprint);
    const bool has_no_python = known == 1 && before == 1;  // a look later, too: nothing more will be known
    if (has_no_python && listener_.on_fingerprint) hear(listener_.on_fingerprint(ending_.fingerprint), at);
    if (known < 2 ? known <= before : known < before) return;  // switches alone: those at its first sample
    ending_.fingerprint = std::move(seen);
    if (ending_.fingerprint.packages.empty()) return;
    fingerprint_looks_ = most_fingerprint_looks;
    if (listener_.on_fingerprint) hear(listener_.on_fingerprint(ending_.fingerprint), at);
  }

  // What has ended is hit by nothing.
  void inflict(const Seen& seen) {
    const Fault* fault = supervisor_.due();
    if (fault == nullptr) return;
    if (supervisor_.phase() != Phase::lingering && (seen.ended || process_.ended())) return;
    const bool stops_all = fault->action != FaultAction::pause && !fault->rank;
    const std::size_t hit =
        stops_all ? process_.left().size() : process_.signal(signal_of(fault->action), fault->rank);
    ending_.inflicted = Inflicted{seen.at, hit};
    if (fault->action == FaultAction::pause && hit > 0) go_on_at_ = seen.at + fault->pause;
    paused_ = fault->rank;
    supervisor_.strike(hit, seen.at);
  }

  void go_on() {
    go_on_at_.reset();
    process_.signal(Signal::go_on, paused_);
  }

  void enter(Phase left, const Seen& seen) {
    pause_ = first_pause;
    next_look_ = {};
    const Phase phase = supervisor_.phase();
    const bool stops = phase == Phase::asking || phase == Phase::ending;
    if (stops && left <= Phase::lingering && is_stuck(supervisor_.outcome()))
      ending_.evidence = process_.evidence();
    if (stops && go_on_at_) go_on();
    if (phase == Phase::asking) process_.stop(Force::ask);
    if (phase == Phase::ending && left == Phase::settling) name_leftovers();
    if (phase == Phase::ending) process_.stop(Force::end);
    if (phase == Phase::done && !seen.is_empty) name_survivors();
  }

  void name_leftovers() {
    ending_.leftovers = sentences_of(process_.left());
    if (ending_.leftovers.empty()) ending_.leftovers = {nameless};
  }

  void name_survivors() {
    ending_.survivors = sentences_of(process_.left());
    if (!ending_.survivors.empty()) return;
    ending_.survivors = {say({"processes that /proc does not show", "/proc 没有显示的进程"})};
    std::erase(ending_.leftovers, nameless);
  }

  std::optional<Interrupted> interrupted() const {
    return listener_.interrupted ? listener_.interrupted() : std::nullopt;
  }
  Duration elapsed() { return process_.elapsed(); }
  bool has_second_signal() const { return listener_.second_signal && listener_.second_signal(); }

  Process& process_;
  Supervisor supervisor_;
  const Listener& listener_;
  Ending ending_;
  Duration pause_ = first_pause;
  Duration next_look_{};  // at the launcher, or at the tree
  Duration next_poll_{};  // at what is written elsewhere
  Duration next_fingerprint_{};
  int fingerprint_looks_ = 0;
  bool has_sample_ = false;
  bool has_begun_ = false;            // the phase, just now
  std::optional<Duration> go_on_at_;  // it is paused until then
  std::optional<int> paused_;         // the rank that is; none: all of it
};

constexpr Duration turn_pause{100};

// Returns how it ended; nothing where it goes on.
std::optional<Outcome> end_of(const Waiting& now, const Limits& limits, Duration waited,
                              const Listener& listener) {
  if (listener.interrupted)
    if (const auto interrupted = listener.interrupted()) return *interrupted;
  if (now.kind == Waiting::Kind::refused) return now.outcome;
  if (limits.rest && waited >= *limits.rest) return PastDeadline{limits.deadline};
  return std::nullopt;
}

}  // namespace

Result<Ending> supervise(Process& process, const Limits& limits, const Listener& listener) {
  GATE_TRY_STATUS(process.start());
  return Supervision(process, limits, listener).run();
}

Result<std::unique_ptr<Process>> local_process(Command command, const Patience& patience) {
  if (auto why = unfit(command)) return fail(std::move(*why));
  return std::make_unique<LocalProcess>(std::move(command), patience);
}

Result<Ending> run_command(const Command& command, const Limits& limits, const Listener& listener,
                           const Patience& patience) {
  const auto process = local_process(command, patience);
  if (process) return supervise(**process, limits, listener);
  Ending unstarted;
  unstarted.outcome = NotStarted{process.error().message};
  return unstarted;
}

std::optional<Ending> wait_for_start(const std::function<Waiting()>& turn, Limits& limits,
                                     const Listener& listener) {
  const auto began = SteadyClock::now();
  const auto tell = [&](const Sentence& why) {
    if (listener.on_waiting) listener.on_waiting(why);
  };
  Sentence told;
  Waiting now = turn();
  for (; now.kind != Waiting::Kind::ready; now = turn()) {
    if (std::optional<Outcome> outcome = end_of(now, limits, since(began), listener)) {
      tell({});
      Ending ending;
      ending.outcome = std::move(*outcome);
      ending.duration = since(began);
      ending.remarks = std::move(now.remarks);
      if (std::holds_alternative<PastDeadline>(ending.outcome) && !now.still.empty())
        ending.remarks.push_back(now.still);
      return ending;
    }
    if (std::exchange(told, now.why) != now.why && !now.why.empty()) tell(now.why);
    std::this_thread::sleep_for(turn_pause);
  }
  tell({});
  if (limits.rest) *limits.rest -= since(began);
  return std::nullopt;
}

}  // namespace gate::launch
