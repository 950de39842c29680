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

namespace gate::schedule {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_again{500};

struct Job {
  Start start;
  Clock::time_point began;
  std::thread thread = {};
};

class Dispatcher {
 public:
  Dispatcher(const std::vector<Task>& works, const Pool& pool, std::vector<std::size_t> order,
             const DispatchHooks& world)
      : works_(works), pool_(pool), world_(world), waiting_(std::move(order)) {}

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
      stopped_ = world_.must_stop();
      if (stopped_) return;
      drop_hopeless();
      const std::optional<Start> start = next(works_, pool_, state());
      if (!start) return;
      if (const std::optional<std::vector<DeviceId>> held = world_.take(*start))
        refuse(*start, *held);
      else
        begin(*start);
    }
  }

  // Other devices may do. Where none of its own is in the way, what else it needs is.
  void refuse(const Start& start, const std::vector<DeviceId>& held) {
    foreign_.insert(held.begin(), held.end());
    if (std::ranges::none_of(start.devices, [&](const DeviceId& device) { return contains(held, device); }))
      refused_.push_back(start.work);
  }

  // A work that waits for one that will never run waits no more.
  void drop_hopeless() {
    for (auto it = waiting_.begin(); it != waiting_.end();) {
      const bool hopeless = !has_enough(works_[*it]);
      if (hopeless) world_.give_up(*it);
      it = hopeless ? waiting_.erase(it) : it + 1;
    }
  }

  bool has_enough(const Task& work) const {
    const auto is_left = [&](const DeviceId& device) { return contains(pool_.devices, device); };
    return work.shape.all_devices() <= static_cast<int>(pool_.devices.size()) &&
           std::all_of(work.chosen.begin(), work.chosen.end(), is_left);
  }

  static bool contains(const std::vector<DeviceId>& devices, const DeviceId& device) {
    return std::find(devices.begin(), devices.end(), device) != devices.end();
  }

  State state() const {
    State now{waiting_, {}, pool_.devices};
    for (const Job& job : jobs_) {
      const auto gone = std::chrono::duration_cast<Duration>(Clock::now() - job.began);
      now.running.push_back(
          {job.start.work, job.start.devices, std::max(Duration{}, works_[job.start.work].expected - gone)});
      for (const DeviceId& device : job.start.devices) std::erase(now.free, device);
    }
    for (const DeviceId& device : foreign_) std::erase(now.free, device);
    now.refused = refused_;
    return now;
  }

  void begin(const Start& start) {
    std::erase(waiting_, start.work);
    Job& job = jobs_.emplace_back(Job{start, Clock::now()});
    try {
      job.thread = std::thread([this, &job] {
        const std::vector<DeviceId> lost = world_.run(job.start);
        const std::lock_guard lock(mutex_);
        end(job, lost);
        changed_.notify_one();
      });
    } catch (const std::system_error&) {  // no thread is to be had: all others wait
      end(job, world_.run(job.start));
    }
  }

  void end(Job& job, const std::vector<DeviceId>& lost) {
    for (const DeviceId& device : lost) std::erase(pool_.devices, device);
    ended_.push_back(&job);
  }

  void wait(std::unique_lock<std::mutex>& lock) {
    if (jobs_.empty()) world_.wait({foreign_.begin(), foreign_.end()});
    changed_.wait_for(lock, look_again, [&] { return !ended_.empty(); });
    world_.look();
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

  const std::vector<Task>& works_;
  Pool pool_;
  const DispatchHooks& world_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> waiting_;
  std::list<Job> jobs_;
  std::vector<Job*> ended_;
  std::set<DeviceId> foreign_;             // devices that others held when they were asked for
  std::vector<std::size_t> refused_ = {};  // works that lack something else
  bool stopped_ = false;
};

}  // namespace

void dispatch(const std::vector<Task>& works, const Pool& pool, const std::vector<std::size_t>& order,
              const DispatchHooks& world) {
  Dispatcher(works, pool, order, world).run();
}

}  // namespace gate::schedule
