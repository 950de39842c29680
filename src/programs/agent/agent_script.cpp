#include "agent/agent_script.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "gate/base/set_aside.h"
#include "gate/devices/leases.h"
#include "gate/launch/needs.h"

namespace gate::agent {

namespace {

using hosts::add;

constexpr std::size_t block = std::size_t{256} << 10;
constexpr Duration pause{20};  // between two looks at what is to end
constexpr Duration answer_limit{2000};
constexpr std::int64_t first_ahead = 64 << 10, least_ahead = 8 << 10,
                       most_ahead = static_cast<std::int64_t>(hosts::sent_ahead);
constexpr Duration short_time{250}, long_time{1000};  // for what is ahead

}  // namespace

HostedJob::HostedJob(std::string name, launch::Command command, Duration gone_within,
                     std::function<void()> changed)
    : name_(std::move(name)),
      command_(std::move(command)),
      gone_within_(gone_within),
      changed_(std::move(changed)),
      ahead_(first_ahead),
      thread_([this] { run(); }) {}

HostedJob::~HostedJob() {
  stop(launch::Force::kill);
  thread_.join();
}

void HostedJob::stop(launch::Force force) {
  const std::lock_guard lock(mutex_);
  orders_.push_back(force);
  if (force == launch::Force::kill && !is_killed_.exchange(true)) killed_at_ = SteadyClock::now();
  acknowledged_.notify_all();
}

void HostedJob::acknowledge(std::int64_t size) {
  const std::lock_guard lock(mutex_);
  const std::int64_t end = first_ + static_cast<std::int64_t>(output_.size());
  const std::int64_t kept_from = std::clamp(size, first_, end);
  output_.erase(0, static_cast<std::size_t>(kept_from - first_));
  first_ = kept_from;
  sent_ = std::max(sent_, first_);
  if (timed_ > 0 && first_ >= timed_) {
    const Duration taken = since(timed_at_);
    if (taken < short_time) ahead_ = std::min(2 * ahead_, most_ahead);
    if (taken > long_time) ahead_ = std::max(ahead_ / 2, least_ahead);
    timed_ = 0;
  }
  acknowledged_.notify_all();
}

void HostedJob::send_again(std::int64_t from) {
  acknowledge(from);
  const std::lock_guard lock(mutex_);
  sent_ = first_;
  timed_ = 0;
  state_is_new_ = true;
}

std::vector<hosts::Frame> HostedJob::news() {
  const std::lock_guard lock(mutex_);
  std::vector<hosts::Frame> messages;
  const std::int64_t end = first_ + static_cast<std::int64_t>(output_.size());
  const std::int64_t limit = std::min(end, first_ + ahead_);
  while (sent_ < limit) {
    const auto size = std::min(block, static_cast<std::size_t>(limit - sent_));
    messages.push_back({"output", name_, std::to_string(sent_),
                        output_.substr(static_cast<std::size_t>(sent_ - first_), size)});
    sent_ += static_cast<std::int64_t>(size);
  }
  if (timed_ == 0 && sent_ > first_) {
    timed_ = sent_;
    timed_at_ = SteadyClock::now();
  }
  if (std::exchange(state_is_new_, false)) {
    messages.push_back({"state", name_});
    add(messages.back(), state_);
  }
  return messages;
}

bool HostedJob::is_over() {
  const std::lock_guard lock(mutex_);
  return state_.empty;
}

std::size_t HostedJob::signal(launch::Signal signal, std::optional<int> rank) {
  hit_ = 0;
  return ask(hit_, [signal, rank](launch::Process& process) { return process.signal(signal, rank); });
}

std::vector<std::string> HostedJob::left() {
  return ask(left_, [](launch::Process& process) { return process.left(); });
}

std::vector<std::string> HostedJob::evidence() {
  return ask(evidence_, [](launch::Process& process) { return process.evidence(); });
}

Fingerprint HostedJob::fingerprint() {
  return ask(fingerprint_, [](launch::Process& process) { return process.fingerprint(); });
}

// Where its thread has ended, or hangs in a call of the system, what it answered before stands.
template <class T, class Look>
T HostedJob::ask(T& before, const Look& look) {
  const auto answer = std::make_shared<std::optional<T>>();
  std::unique_lock lock(mutex_);
  question_ = [this, answer, look](launch::Process& process) {
    T seen = look(process);
    const std::lock_guard answering(mutex_);
    *answer = std::move(seen);
  };
  acknowledged_.notify_all();
  answered_.wait_for(lock, answer_limit, [&] { return answer->has_value() || is_done_; });
  question_ = nullptr;
  if (*answer) before = std::move(**answer);
  return before;
}

void HostedJob::set_state(const std::function<void(hosts::ProcessState&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(state_);
    state_.size = first_ + static_cast<std::int64_t>(output_.size());
    state_is_new_ = true;
    answered_.notify_all();
  }
  changed_();
}

// What gate shares with nobody lies where all that is leased here does.
Status HostedJob::prepare() const {
  GATE_TRY_STATUS(launch::check_needs(command_.needs));
  Asides asides = command_.asides;
  if (!asides.journal.empty()) asides.journal = devices::lease_folder() / fs::Path(asides.journal);
  return set_outputs_aside(asides);
}

void HostedJob::run() {
  launch::Patience patience;
  patience.kill = gone_within_;
  const auto process = launch::local_process(command_, patience);
  Status started = prepare();
  if (started) started = process ? (*process)->start() : fail(process.error().message);
  if (!started)
    set_state([&](hosts::ProcessState& state) {
      state.ended = NotStarted{started.error().message};
      state.empty = true;
    });
  while (!is_over() && !is_given_up()) look(**process);
  const std::lock_guard lock(mutex_);
  is_done_ = true;
  answered_.notify_all();
}

// What KILL does not end hangs in a driver.
bool HostedJob::is_given_up() {
  const std::lock_guard lock(mutex_);
  return is_killed_ && SteadyClock::now() - killed_at_ >= gone_within_;
}

// The launcher is looked at before the pipe, so that all it wrote has been read when its end is told.
void HostedJob::look(launch::Process& process) {
  obey(process);
  const bool has_ended = state_.ended.has_value();  // written by this thread alone
  process.wait(has_ended || is_killed_ ? pause : process.look_interval());
  const bool is_new = !state_.started && process.has_started();
  const std::optional<Outcome> ended = has_ended ? std::nullopt : process.ended();
  const bool empty = has_ended && process.is_empty();
  if (!keep(process)) return;
  if (is_new) set_state([](hosts::ProcessState& state) { state.started = true; });
  if (ended) set_state([&](hosts::ProcessState& state) { state.ended = ended; });
  if (empty) set_state([](hosts::ProcessState& state) { state.empty = true; });
}

void HostedJob::obey(launch::Process& process) {
  std::vector<launch::Force> orders;
  std::function<void(launch::Process&)> question;
  {
    const std::lock_guard lock(mutex_);
    orders = std::exchange(orders_, {});
    question = std::exchange(question_, nullptr);
  }
  for (const launch::Force order : orders) process.stop(order);
  if (orders.empty() && is_killed_) process.stop(launch::Force::kill);
  if (!question) return;
  question(process);
  answered_.notify_all();
}

// Returns false where too much is kept: the rest waits in the pipe, and so does the script.
bool HostedJob::keep(launch::Process& process) {
  {
    std::unique_lock lock(mutex_);
    const bool is_full = output_.size() >= hosts::kept_output;
    if (is_full && !is_killed_) {
      acknowledged_.wait_for(lock, process.look_interval());
      if (output_.size() >= hosts::kept_output) return false;
    }
  }
  bool has_more = false;
  process.read([&](std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    if (!is_killed_ || output_.size() < hosts::kept_output) output_ += bytes;
    has_more = true;
    return launch::More::wanted;
  });
  if (has_more) changed_();
  return true;
}

}  // namespace gate::agent
