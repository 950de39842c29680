#include "gate/schedule/dispatch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
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
    while (!stopped_ && !waiting_.empty()) {
      stopped_ = hooks_.must_stop();
      if (stopped_) return;
      drop_hopeless();
      const std::optional<Start> start = next(tasks_, resources_, state());
      if (!start) return;
      if (const std::optional<std::vector<DeviceId>> held = hooks_.reserve(*start))
        refuse(*start, *held);
      else
        begin(*start);
    }
  }

  // Other devices may do. If none of its own is in the way, what else it needs is.
  void refuse(const Start& start, const std::vector<DeviceId>& held) {
    foreign_.insert(held.begin(), held.end());
    if (std::ranges::none_of(start.devices, [&](const DeviceId& device) { return contains(held, device); }))
      refused_.push_back(start.task);
  }

  // A task that waits for one that will never run waits no more.
  void drop_hopeless() {
    std::erase_if(waiting_, [&](std::size_t task) {
      const bool hopeless = !has_enough(tasks_[task]) || hooks_.is_cancelled(task);
      if (hopeless) hooks_.on_unschedulable(task);
      return hopeless;
    });
  }

  bool has_enough(const Task& task) const {
    const auto is_left = [&](const DeviceId& device) { return contains(resources_.devices, device); };
    return task.shape.all_devices() <= static_cast<int>(resources_.devices.size()) &&
           std::ranges::all_of(task.chosen, is_left);
  }

  static bool contains(const std::vector<DeviceId>& devices, const DeviceId& device) {
    return std::ranges::find(devices, device) != devices.end();
  }

  State state() const {
    State now{waiting_, {}, resources_.devices};
    for (const Job& job : jobs_) {
      const auto gone = std::chrono::duration_cast<Duration>(SteadyClock::now() - job.began);
      now.running.push_back(
          {job.start.task, job.start.devices, std::max(Duration{}, tasks_[job.start.task].expected - gone)});
      for (const DeviceId& device : job.start.devices) std::erase(now.free, device);
    }
    for (const DeviceId& device : foreign_) std::erase(now.free, device);
    now.refused = refused_;
    return now;
  }

  void begin(const Start& start) {
    std::erase(waiting_, start.task);
    Job& job = jobs_.emplace_back(Job{start, SteadyClock::now()});
    try {
      job.thread = std::thread([this, &job] {
        const std::vector<DeviceId> lost = hooks_.run(job.start);
        const std::lock_guard lock(mutex_);
        end(job, lost);
        changed_.notify_one();
      });
    } catch (const std::system_error&) {  // no thread is to be had: all others wait
      end(job, hooks_.run(job.start));
    }
  }

  void end(Job& job, const std::vector<DeviceId>& lost) {
    for (const DeviceId& device : lost) std::erase(resources_.devices, device);
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
  std::set<DeviceId> foreign_;             // devices that others held when they were asked for
  std::vector<std::size_t> refused_ = {};  // tasks that lack something else
  bool stopped_ = false;
};

}  // namespace

void dispatch(const std::vector<Task>& tasks, const Resources& resources,
              const std::vector<std::size_t>& order, const DispatchHooks& hooks) {
  Dispatcher(tasks, resources, order, hooks).run();
}

}  // namespace gate::schedule
