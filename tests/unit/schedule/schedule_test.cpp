#include "gate/schedule/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace gate::schedule::schedule_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Task on(int devices, int minutes = 0) {
  Task task;
  task.shape.devices = devices;
  task.expected = std::chrono::minutes(minutes);
  return task;
}

Resources host(int devices, std::size_t jobs = 100) {
  Resources resources{{}, 1, jobs};
  for (int index = 0; index < devices; ++index) resources.devices.emplace_back(index);
  return resources;
}

std::vector<std::size_t> all(const std::vector<Task>& tasks) {
  std::vector<std::size_t> indices(tasks.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

std::optional<Start> first(const std::vector<Task>& tasks, const Resources& resources,
                           std::vector<Running> running, std::vector<DeviceId> free) {
  std::vector<std::size_t> waiting = all(tasks);
  for (const Running& one : running) std::erase(waiting, one.task);
  return next(tasks, resources, {waiting, std::move(running), std::move(free)});
}

TEST(Next, TheDevicesOfANodeAreOfOneHost) {
  const std::vector<DeviceId> free{{0, 0}, {1, 1}, {2, 1}, {3, 1}, {0, 2}};
  EXPECT_THAT(first({on(2)}, host(8), {}, free)->devices, ElementsAre(DeviceId(2, 1), DeviceId(3, 1)));
  EXPECT_FALSE(first({on(4)}, host(8), {}, free)) << "four are free, and on no host";
  Task two_nodes = on(1);
  two_nodes.shape.nodes = 2;
  EXPECT_THAT(first({two_nodes}, host(8), {}, free)->devices, ElementsAre(DeviceId(0, 0), DeviceId(1, 1)));
  two_nodes.shape.devices = 2;
  EXPECT_FALSE(first({two_nodes}, host(8), {}, free)) << "no two nodes share a host";
}

TEST(Next, NeighboursOnAMultipleOfTheirCount) {
  EXPECT_THAT(first({on(4)}, host(8), {}, {2, 3, 4, 5, 6, 7})->devices, ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(first({on(2)}, host(8), {}, {0, 1, 2, 3, 6, 7})->devices, ElementsAre(6, 7));  // the small gap
  EXPECT_THAT(first({on(2)}, host(8), {}, {1, 2, 3})->devices, ElementsAre(2, 3));
  EXPECT_THAT(first({on(3)}, host(8), {}, {0, 2, 5})->devices, ElementsAre(0, 2, 5));  // what there is
  EXPECT_FALSE(first({on(4)}, host(8), {}, {0, 2, 5}));
}

TEST(Next, TheVeryDevicesThatACaseNames) {
  Task task = on(2);
  task.chosen = {5, 3};
  EXPECT_THAT(first({task}, host(8), {}, {3, 4, 5})->devices, ElementsAre(5, 3));
  EXPECT_FALSE(first({task}, host(8), {}, {3, 4}));
}

TEST(Next, ExclusiveIsWithNothingBesideIt) {
  Task exclusive = on(1);
  exclusive.exclusive = true;
  EXPECT_FALSE(first({exclusive, on(1)}, host(8), {{1, {0}, {}}}, {1, 2}));
  EXPECT_FALSE(first({exclusive, on(1)}, host(8), {{0, {0}, {}}}, {1, 2}));
  EXPECT_TRUE(first({exclusive}, host(8), {}, {1, 2}));
}

TEST(Next, NoTwoWithTheSamePort) {
  Task a = on(1), b = on(1), c = on(1);
  a.port = b.port = 6000;
  c.port = 6001;
  EXPECT_EQ(first({a, b, c}, host(8), {{0, {0}, {}}}, {1, 2})->task, 2U);
  EXPECT_EQ(first({a, b, c}, host(8), {{2, {0}, {}}}, {1, 2})->task, 0U);
}

TEST(Next, NoTwoThatMayWriteOneLog) {
  Task a = on(1), b = on(1), c = on(1);
  a.logs = b.logs = 0;
  c.logs = 1;
  EXPECT_EQ(first({a, b, c}, host(8), {{0, {0}, {}}}, {1, 2})->task, 2U);
  EXPECT_EQ(first({a, b, c}, host(8), {{2, {0}, {}}}, {1, 2})->task, 0U);
  EXPECT_EQ(first({a, on(1)}, host(8), {{1, {0}, {}}}, {1, 2})->task, 0U);
}

TEST(Next, BehindThoseThatItIsJudgedBeside) {
  Task later = on(1);
  later.after = {1};
  EXPECT_EQ(first({later, on(1)}, host(2), {}, {0, 1})->task, 1U);
  EXPECT_FALSE(first({later, on(1)}, host(2), {{1, {0}, {}}}, {1}));
}

TEST(Next, SlotsForCpuCasesAndJobs) {
  EXPECT_TRUE(first({on(0), on(1)}, host(2), {{1, {0}, {}}}, {1}));
  EXPECT_FALSE(first({on(0), on(0)}, host(2), {{1, {}, {}}}, {0, 1}));
  EXPECT_FALSE(first({on(1), on(1)}, host(2, 1), {{1, {0}, {}}}, {1}));
}

TEST(Next, DevicesAreKeptForTheFirstOne) {
  const std::vector<Task> tasks{on(8, 10), on(1, 5), on(1, 20), on(4, 10)};
  const std::vector<Running> running{{3, {0, 1, 2, 3}, std::chrono::minutes(6)}};
  EXPECT_EQ(first(tasks, host(8), running, {4, 5, 6, 7})->task, 1U);  // done before the 8 are free
  EXPECT_FALSE(first({on(8, 10), on(1, 7), on(1, 20), on(4, 10)}, host(8), running, {4, 5, 6, 7}));
  EXPECT_FALSE(first({on(8, 10), on(1), on(1), on(4, 10)}, host(8), running, {4, 5, 6, 7}));  // nobody knows
  EXPECT_EQ(first({on(6, 10), on(2, 70), on(1), on(4, 10)}, host(8), running, {4, 5, 6, 7})->task, 1U);
}

TEST(Next, NothingIsKeptForWhatOthersHold) {
  EXPECT_EQ(first({on(8, 10), on(1, 70)}, host(8), {}, {4, 5})->task, 1U);
}

TEST(Timeline, UnknownIsTheMeanOfTheOthers) {
  const std::vector<Task> tasks{on(1, 2), on(1, 4), on(1)};
  const std::vector<PlannedSlot> slots = timeline(tasks, host(1), all(tasks));
  ASSERT_EQ(slots.size(), 3U);
  EXPECT_EQ(slots[2].begin, std::chrono::minutes(6));
  EXPECT_EQ(slots[2].end, std::chrono::minutes(9));
}

TEST(Timeline, WhatCanNeverStartHasNoSlot) { EXPECT_THAT(timeline({on(9)}, host(8), {0}), IsEmpty()); }

TEST(Order, ExclusiveComesLast) {
  Task exclusive = on(1, 100);
  exclusive.exclusive = true;
  EXPECT_THAT(order({exclusive, on(1, 1), on(1, 2)}, host(8)), ElementsAre(2, 1, 0));
}

// --- random suites -------------------------------------------------------------------------------

struct Suite {
  std::vector<Task> tasks;
  Resources resources = host(8);
};

Suite random_suite(unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  Suite suite;
  const std::array<int, 4> widths{1, 2, 4, 8};
  const int count = number(20, 60);
  for (int i = 0; i < count; ++i)
    suite.tasks.push_back(on(widths[static_cast<std::size_t>(number(0, 3))], number(1, 30)));
  return suite;
}

// No schedule is shorter: all devices are busy all the time, cases wider than half of the host exclude one
// another, and one case takes as long as it takes.
Duration lower_bound(const Suite& suite) {
  const auto devices = static_cast<int>(suite.resources.devices.size());
  Duration area{}, wide{}, longest{};
  for (const Task& task : suite.tasks) {
    area += task.expected * task.shape.devices;
    if (task.shape.devices * 2 > devices) wide += task.expected;
    longest = std::max(longest, task.expected);
  }
  return std::max({area / devices, wide, longest});
}

void expect_no_device_twice(const std::vector<PlannedSlot>& slots) {
  for (std::size_t a = 0; a < slots.size(); ++a)
    for (std::size_t b = a + 1; b < slots.size(); ++b) {
      if (slots[a].end <= slots[b].begin || slots[b].end <= slots[a].begin) continue;
      for (const DeviceId& device : slots[a].devices)
        ASSERT_EQ(std::count(slots[b].devices.begin(), slots[b].devices.end(), device), 0);
    }
}

// Under a sanitizer, where they take minutes, only the first ones.
constexpr unsigned suites = SANITIZED ? 10 : 500;

TEST(Simulation, FiveHundredRandomSuitesArePackedWell) {
  double worst = 0, sum = 0;
  for (unsigned seed = 1; seed <= suites; ++seed) {
    const Suite suite = random_suite(seed);
    const std::vector<PlannedSlot> slots =
        timeline(suite.tasks, suite.resources, order(suite.tasks, suite.resources));
    ASSERT_EQ(slots.size(), suite.tasks.size()) << "seed " << seed;
    expect_no_device_twice(slots);
    Duration end{};
    for (const PlannedSlot& slot : slots) {
      end = std::max(end, slot.end);
      ASSERT_EQ(slot.devices.size(), static_cast<std::size_t>(suite.tasks[slot.task].shape.devices));
    }
    const double ratio = static_cast<double>(end.count()) / static_cast<double>(lower_bound(suite).count());
    sum += ratio;
    worst = std::max(worst, ratio);
    EXPECT_LE(ratio, 1.08) << "seed " << seed;
  }
  RecordProperty("worst", std::to_string(worst));
  std::printf("makespan by lower bound: mean %.4f, worst %.4f of %u suites\n", sum / suites, worst, suites);
}

// Whatever comes behind it, a case for the whole host starts as soon as those before it have ended.
TEST(Simulation, NoStarvation) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    std::vector<Task> tasks{on(1, 10), on(8, 10)};
    for (int i = 0; i < 40; ++i) tasks.push_back(on(1, std::uniform_int_distribution(1, 30)(random)));
    const std::vector<PlannedSlot> slots = timeline(tasks, host(8), all(tasks));
    const auto wide =
        std::find_if(slots.begin(), slots.end(), [](const PlannedSlot& slot) { return slot.task == 1; });
    EXPECT_EQ(wide->begin, std::chrono::minutes(10)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gate::schedule::schedule_test
