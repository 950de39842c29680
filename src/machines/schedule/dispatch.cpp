#include "gate/schedule/dispatch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <list>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "gate/base/time.h"

namespace gate::schedule {

namespace {

constexpr std::chrono::milliseconds poll_every{500};

struct Job {
  Start start;
  SteadyClock::time_point began;
  std::thread thread = {};
};

class Dispatcher {
 public:
  Dispatcher(const std::vector<Task>& tasks, const Resources& resources, std::vector<std::size_t> order,
             const DispatchHooks& hooks)
      : tasks_(tasks), resources_(resources), hooks_(hooks), waiting_(std::move(order)) {}

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      start_all();
      if (jobs_.empty() && (waiting_.empty() || stopped_)) return;
      wait(lock);
      reap(lock);
    }
  }

 private:
  void start_all() {
    if (must_stop()) return;
    drop_hopeless();
    while (!waiting_.empty() && !must_stop()) {
      const std::optional<Start> start = next(tasks_, resources_, state());
      if (!start) return;
      if (const std::optional<std::vector<DeviceId>> held = hooks_.reserve(*start))
        refuse(*start, *held);
      else
        begin(*start);
    }
  }

  bool must_stop() { return stopped_ = stopped_ || hooks_.must_stop(); }

  // Other devices may do. If none of its own is in the way, what else it needs is.
  void refuse(const Start& start, const std::vector<DeviceId>& held) {
    foreign_.insert(held.begin(), held.end());
    const auto is_held = [&](const DeviceId& device) {
      return std::ranges::find(held, device) != held.end();
    };
    if (std::ranges::any_of(start.devices, is_held)) return;
    const auto in_the_way = [&](int host) {
      return std::ranges::find(held, host, &DeviceId::host) != held.end();
    };
    const bool is_known = std::ranges::any_of(start.hosts, in_the_way);
    for (const int host : start.hosts)
      if (!is_known || in_the_way(host)) refused_.push_back({start.task, host});
  }

  // A task that waits for one that will never run waits no more; it may be hopeless itself, then.
  void drop_hopeless() {
    const bool has_lost = std::exchange(has_lost_, false);
    const auto drop = [&](std::size_t task) {
      const bool hopeless = (has_lost && !has_enough(tasks_[task], resources_)) || hooks_.is_cancelled(task);
      if (hopeless) hooks_.on_unschedulable(task);
      return hopeless;
    };
    while (std::erase_if(waiting_, drop) > 0) {
    }
  }

  State state() const {
    State now{.waiting = waiting_, .refused = refused_};
    std::set<DeviceId> taken = foreign_;
    for (const Job& job : jobs_) {
      const auto gone = since(job.began);
      const Duration rest = std::max(Duration{}, tasks_[job.start.task].expected - gone);
      now.running.push_back({job.start.task, job.start.devices, rest, job.start.hosts});
      taken.insert(job.start.devices.begin(), job.start.devices.end());
    }
    std::ranges::set_difference(resources_.devices, taken, std::back_inserter(now.free));
    return now;
  }

  void begin(const Start& start) {
    std::erase(waiting_, start.task);
    Job& job = jobs_.emplace_back(Job{start, SteadyClock::now()});
    try {
      job.thread = std::thread([this, &job] {
        const TaskEnding ended = hooks_.run(job.start);
        const std::lock_guard lock(mutex_);
        end(job, ended);
        changed_.notify_one();
      });
    } catch (const std::system_error&) {  // no thread is to be had: all others wait
      end(job, hooks_.run(job.start));
    }
  }

  void end(Job& job, const TaskEnding& ended) {
    for (const DeviceId& device : ended.lost_devices) std::erase(resources_.devices, device);
    for (const int host : ended.lost_hosts) std::erase(resources_.hosts, host);
    has_lost_ = has_lost_ || !ended.lost_devices.empty() || !ended.lost_hosts.empty();
    if (ended.runs_again) waiting_.insert(waiting_.begin(), job.start.task);
    ended_.push_back(&job);
  }

  void wait(std::unique_lock<std::mutex>& lock) {
    if (jobs_.empty()) hooks_.wait({foreign_.begin(), foreign_.end()});
    changed_.wait_for(lock, poll_every, [&] { return !ended_.empty(); });
    hooks_.poll();
    foreign_.clear();
    refused_.clear();
  }

  void reap(std::unique_lock<std::mutex>& lock) {
    for (Job* job : std::exchange(ended_, {})) {
      std::thread thread = std::move(job->thread);
      jobs_.remove_if([&](const Job& one) { return &one == job; });
      lock.unlock();
      if (thread.joinable()) thread.join();
      lock.lock();
    }
  }

  const std::vector<Task>& tasks_;
  Resources resources_;
  const DispatchHooks& hooks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> waiting_;
  std::list<Job> jobs_;
  std::vector<Job*> ended_;
  std::set<DeviceId> foreign_;         // devices that others held when they were asked for
  std::vector<Refused> refused_ = {};  // tasks that lack something else
  bool has_lost_ = true;  // something, since it was last asked which tasks can start; no task could at first
  bool stopped_ = false;
};

}  // namespace

void dispatch(const std::vector<Task>& tasks, const Resources& resources,
              const std::vector<std::size_t>& order, const DispatchHooks& hooks) {
  Dispatcher(tasks, resources, order, hooks).run();
}

}  // namespace gate::schedule
