#include "gate/schedule/dispatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

namespace gate::schedule::dispatch_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Tasks that reserve their devices from one another's threads, and say where two had one at once.
class Fake {
 public:
  DispatchHooks hooks() {
    return {[this](const Start& start) { return reserve(start); },
            [this](const Start& start) { return run(start); },
            [this](std::size_t task) { unschedulable.push_back(task); },
            [this](const std::vector<DeviceId>& devices) {
              waited_for.push_back(devices), others.clear(), whole_host.clear();
            },
            [this] { return stop.load(); },
            [this](std::size_t task) { return cancelled.contains(task); },
            [this] { poll(); }};
  }

  void dispatch(const std::vector<Task>& tasks, int devices, std::size_t jobs = 100) {
    Resources resources{.jobs = jobs};
    for (int index = 0; index < devices; ++index) resources.devices.emplace_back(index);
    dispatch(tasks, resources);
  }

  void dispatch(const std::vector<Task>& tasks, const Resources& resources) {
    std::vector<std::size_t> order(tasks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    schedule::dispatch(tasks, resources, order, hooks());
  }

  std::function<void(std::size_t)> meanwhile = [](std::size_t) {};
  std::function<void()> poll = [] {};
  std::map<std::size_t, TaskEnding> ends;  // task -> how
  std::vector<DeviceId> others;            // what others hold, until it is waited for
  std::vector<DeviceId> whole_host;        // what others hold of it: no device of the task's own
  std::optional<int> refuses_on;           // the host that `whole_host` is about; none: any
  int asked = 0;
  std::vector<std::vector<DeviceId>> waited_for;
  std::set<std::size_t> cancelled;
  std::vector<std::size_t> ran, unschedulable;
  std::atomic<bool> stop = false;
  bool twice = false;

 private:
  std::optional<std::vector<DeviceId>> reserve(const Start& start) {
    ++asked;
    std::vector<DeviceId> held;
    if (!refuses_on || start.hosts.front() == *refuses_on) held = whole_host;
    for (const DeviceId& device : start.devices)
      if (std::count(others.begin(), others.end(), device) > 0) held.push_back(device);
    const std::lock_guard lock(mutex_);
    if (!held.empty()) return held;
    for (const DeviceId& device : start.devices) twice |= ++users_[device] > 1;
    return std::nullopt;
  }

  TaskEnding run(const Start& start) {
    meanwhile(start.task);
    const std::lock_guard lock(mutex_);
    ran.push_back(start.task);
    for (const DeviceId& device : start.devices) --users_[device];
    return std::exchange(ends[start.task], {});
  }

  std::mutex mutex_;
  std::map<DeviceId, int> users_;
};

// Holds threads until so many have come.
class Meeting {
 public:
  explicit Meeting(int count) : count_(count) {}
  void arrive() {
    std::unique_lock lock(mutex_);
    --count_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return count_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_;
};

Task on(int devices) {
  Task task;
  task.shape.devices = devices;
  return task;
}

Resources two_hosts(int devices, std::size_t jobs) {
  Resources resources{.hosts = {0, 1}, .jobs = jobs};
  for (const int host : resources.hosts)
    for (int index = 0; index < devices; ++index) resources.devices.emplace_back(index, host);
  return resources;
}

TEST(Dispatch, WhatFitsRunsAtOnce) {
  Fake fake;
  Meeting meeting(3);  // is left only where all three run
  fake.meanwhile = [&](std::size_t) { meeting.arrive(); };
  fake.dispatch({on(2), on(1), on(1)}, 4);
  EXPECT_THAT(fake.ran, UnorderedElementsAre(0, 1, 2));
  EXPECT_FALSE(fake.twice);
}

TEST(Dispatch, WhatIsCancelledBeforeItStartsIsTakenForOneThatNeverCan) {
  Fake fake;
  fake.cancelled = {1};
  fake.dispatch({on(0), on(0), on(0)}, 0);
  EXPECT_THAT(fake.ran, ElementsAre(0, 2));
  EXPECT_THAT(fake.unschedulable, ElementsAre(1));
}

TEST(Dispatch, WhatIsHopelessSinceAnotherTaskIsNeverStarts) {
  Fake fake;
  fake.dispatch({on(0), on(0), on(0)}, 0);
  DispatchHooks hooks = fake.hooks();
  fake.ran.clear();
  fake.cancelled = {2};
  hooks.is_cancelled = [&](std::size_t task) {
    const bool is_next_gone = std::ranges::find(fake.unschedulable, task + 1) != fake.unschedulable.end();
    return fake.cancelled.contains(task) || is_next_gone;
  };
  Task first = on(0), second = on(0);
  first.after = {1};
  second.after = {2};
  schedule::dispatch({first, second, on(0)}, {}, {0, 1, 2}, hooks);
  EXPECT_THAT(fake.unschedulable, ElementsAre(2, 1, 0));
  EXPECT_THAT(fake.ran, IsEmpty());
}

TEST(Dispatch, PollsWhileTasksRun) {
  Fake fake;
  Meeting meeting(2);  // the task does not end before
  fake.poll = [&] { meeting.arrive(); };
  fake.meanwhile = [&](std::size_t) { meeting.arrive(); };
  fake.dispatch({on(1)}, 1);
  EXPECT_THAT(fake.ran, ElementsAre(0));
}

TEST(Dispatch, NoDeviceTwice) {
  Fake fake;
  std::vector<Task> tasks;
  for (int i = 0; i < 300; ++i) tasks.push_back(on(1 + i % 4));
  fake.dispatch(tasks, 8);
  EXPECT_EQ(fake.ran.size(), tasks.size());
  EXPECT_FALSE(fake.twice);
}

TEST(Dispatch, OneJobAtATimeInOrder) {
  Fake fake;
  fake.dispatch({on(1), on(0), on(1), on(0)}, 8, 1);
  EXPECT_THAT(fake.ran, ElementsAre(0, 1, 2, 3));
}

TEST(Dispatch, WhatOthersHoldIsWaitedFor) {
  Fake fake;
  fake.others = {0, 1};
  fake.dispatch({on(2)}, 2);
  EXPECT_THAT(fake.waited_for, ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(fake.ran, ElementsAre(0));
}

TEST(Dispatch, ARefusedTaskIsNotAskedForAgainBeforeTheWait) {
  Fake fake;
  fake.whole_host = {7};  // which no task here would be given
  fake.dispatch({on(1), on(1)}, 2);
  EXPECT_THAT(fake.waited_for, ElementsAre(ElementsAre(7)));
  EXPECT_EQ(fake.asked, 4);
  EXPECT_THAT(fake.ran, UnorderedElementsAre(0, 1));
}

TEST(Dispatch, AnotherDeviceIsTakenWhereOthersHoldOne) {
  Fake fake;
  fake.others = {0};
  fake.dispatch({on(1)}, 2);
  EXPECT_THAT(fake.waited_for, IsEmpty());
  EXPECT_EQ(fake.asked, 2);
  EXPECT_THAT(fake.ran, ElementsAre(0));
}

TEST(Dispatch, TheRestGoesOnWithoutALostDevice) {
  Fake fake;
  fake.ends[0].lost_devices = {0};
  Task named = on(1);
  named.chosen = {0};
  fake.dispatch({on(2), on(2), named, on(1)}, 2);
  EXPECT_THAT(fake.ran, ElementsAre(0, 3));
  EXPECT_THAT(fake.unschedulable, ElementsAre(1, 2));
}

TEST(Dispatch, TheRestGoesOnWithoutALostHost) {
  Fake fake;
  fake.ends[0].lost_hosts = {1};
  Task first = on(2), second = on(1), both = on(1), cpu = on(0), anywhere = on(2);
  first.hosts = second.hosts = cpu.hosts = {1};
  both.shape.nodes = 2;
  anywhere.hosts = {0, 1};
  fake.dispatch({first, both, second, cpu, anywhere}, two_hosts(2, 1));
  EXPECT_THAT(fake.ran, UnorderedElementsAre(0, 4));
  EXPECT_THAT(fake.unschedulable, ElementsAre(1, 2, 3));
}

TEST(Dispatch, WhatWaitsForATaskWaitsForItsSecondRunToo) {
  Fake fake;
  fake.ends[0] = {.lost_hosts = {0}, .runs_again = true};
  Task anywhere = on(2), behind = on(2);
  anywhere.hosts = {0, 1};
  behind.hosts = {1};
  behind.after = {0};
  fake.dispatch({anywhere, behind}, two_hosts(2, 1));
  EXPECT_THAT(fake.ran, ElementsAre(0, 0, 1));
  EXPECT_THAT(fake.unschedulable, IsEmpty());
}

TEST(Dispatch, ATaskThatRunsAgainMayHaveNoHostLeft) {
  Fake fake;
  fake.ends[0] = {.lost_hosts = {1}, .runs_again = true};
  Task there = on(2);
  there.hosts = {1};
  fake.dispatch({there, on(1)}, two_hosts(2, 1));
  EXPECT_THAT(fake.ran, UnorderedElementsAre(0, 1));
  EXPECT_THAT(fake.unschedulable, ElementsAre(0));
}

TEST(Dispatch, DevicesThatAreLeftOnTwoHostsMakeNoNode) {
  Fake fake;
  fake.ends[0].lost_devices = {{0, 0}, {1, 1}};
  Task first = on(2);
  first.shape.nodes = 2;
  fake.dispatch({first, on(2), on(1)}, two_hosts(2, 1));
  EXPECT_THAT(fake.ran, ElementsAre(0, 2));
  EXPECT_THAT(fake.unschedulable, ElementsAre(1));
}

TEST(Dispatch, WhatIsRefusedOnOneHostStartsOnTheOther) {
  Fake fake;
  fake.whole_host = {7};  // of host 0, which no task here would be given
  fake.refuses_on = 0;
  fake.dispatch({on(1), on(1)}, two_hosts(2, 100));
  EXPECT_THAT(fake.waited_for, IsEmpty());
  EXPECT_EQ(fake.asked, 3);
  EXPECT_THAT(fake.ran, UnorderedElementsAre(0, 1));
}

TEST(Dispatch, NothingStartsOnceItMustStop) {
  Fake fake;
  fake.meanwhile = [&](std::size_t) { fake.stop = true; };
  fake.dispatch({on(1), on(1), on(1)}, 1);
  EXPECT_THAT(fake.ran, ElementsAre(0));
}

}  // namespace
}  // namespace gate::schedule::dispatch_test
