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
  Task work;
  work.shape.devices = devices;
  work.expected = std::chrono::minutes(minutes);
  return work;
}

Pool host(int devices, std::size_t jobs = 100) {
  Pool pool{{}, 1, jobs};
  for (int index = 0; index < devices; ++index) pool.devices.emplace_back(index);
  return pool;
}

std::vector<std::size_t> all(const std::vector<Task>& works) {
  std::vector<std::size_t> indices(works.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

std::optional<Start> first(const std::vector<Task>& works, const Pool& pool, std::vector<Running> running,
                           std::vector<DeviceId> free) {
  std::vector<std::size_t> waiting = all(works);
  for (const Running& one : running) std::erase(waiting, one.work);
  return next(works, pool, {waiting, std::move(running), std::move(free)});
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
  Task work = on(2);
  work.chosen = {5, 3};
  EXPECT_THAT(first({work}, host(8), {}, {3, 4, 5})->devices, ElementsAre(5, 3));
  EXPECT_FALSE(first({work}, host(8), {}, {3, 4}));
}

TEST(Next, AloneIsWithNothingBesideIt) {
  Task alone = on(1);
  alone.alone = true;
  EXPECT_FALSE(first({alone, on(1)}, host(8), {{1, {0}, {}}}, {1, 2}));
  EXPECT_FALSE(first({alone, on(1)}, host(8), {{0, {0}, {}}}, {1, 2}));
  EXPECT_TRUE(first({alone}, host(8), {}, {1, 2}));
}

TEST(Next, NoTwoWithTheSamePort) {
  Task a = on(1), b = on(1), c = on(1);
  a.port = b.port = 6000;
  c.port = 6001;
  EXPECT_EQ(first({a, b, c}, host(8), {{0, {0}, {}}}, {1, 2})->work, 2U);
  EXPECT_EQ(first({a, b, c}, host(8), {{2, {0}, {}}}, {1, 2})->work, 0U);
}

TEST(Next, NoTwoThatMayWriteOneLog) {
  Task a = on(1), b = on(1), c = on(1);
  a.logs = b.logs = 0;
  c.logs = 1;
  EXPECT_EQ(first({a, b, c}, host(8), {{0, {0}, {}}}, {1, 2})->work, 2U);
  EXPECT_EQ(first({a, b, c}, host(8), {{2, {0}, {}}}, {1, 2})->work, 0U);
  EXPECT_EQ(first({a, on(1)}, host(8), {{1, {0}, {}}}, {1, 2})->work, 0U);
}

TEST(Next, BehindThoseThatItIsJudgedBeside) {
  Task later = on(1);
  later.after = {1};
  EXPECT_EQ(first({later, on(1)}, host(2), {}, {0, 1})->work, 1U);
  EXPECT_FALSE(first({later, on(1)}, host(2), {{1, {0}, {}}}, {1}));
}

TEST(Next, SlotsForCpuCasesAndJobs) {
  EXPECT_TRUE(first({on(0), on(1)}, host(2), {{1, {0}, {}}}, {1}));
  EXPECT_FALSE(first({on(0), on(0)}, host(2), {{1, {}, {}}}, {0, 1}));
  EXPECT_FALSE(first({on(1), on(1)}, host(2, 1), {{1, {0}, {}}}, {1}));
}

TEST(Next, DevicesAreKeptForTheFirstOne) {
  const std::vector<Task> works{on(8, 10), on(1, 5), on(1, 20), on(4, 10)};
  const std::vector<Running> running{{3, {0, 1, 2, 3}, std::chrono::minutes(6)}};
  EXPECT_EQ(first(works, host(8), running, {4, 5, 6, 7})->work, 1U);  // done before the 8 are free
  EXPECT_FALSE(first({on(8, 10), on(1, 7), on(1, 20), on(4, 10)}, host(8), running, {4, 5, 6, 7}));
  EXPECT_FALSE(first({on(8, 10), on(1), on(1), on(4, 10)}, host(8), running, {4, 5, 6, 7}));  // nobody knows
  EXPECT_EQ(first({on(6, 10), on(2, 70), on(1), on(4, 10)}, host(8), running, {4, 5, 6, 7})->work, 1U);
}

TEST(Next, NothingIsKeptForWhatOthersHold) {
  EXPECT_EQ(first({on(8, 10), on(1, 70)}, host(8), {}, {4, 5})->work, 1U);
}

TEST(Timeline, UnknownIsTheMeanOfTheOthers) {
  const std::vector<Task> works{on(1, 2), on(1, 4), on(1)};
  const std::vector<PlannedSlot> turns = timeline(works, host(1), all(works));
  ASSERT_EQ(turns.size(), 3U);
  EXPECT_EQ(turns[2].begin, std::chrono::minutes(6));
  EXPECT_EQ(turns[2].end, std::chrono::minutes(9));
}

TEST(Timeline, WhatCanNeverStartHasNoTurn) { EXPECT_THAT(timeline({on(9)}, host(8), {0}), IsEmpty()); }

TEST(Order, AloneComesLast) {
  Task alone = on(1, 100);
  alone.alone = true;
  EXPECT_THAT(order({alone, on(1, 1), on(1, 2)}, host(8)), ElementsAre(2, 1, 0));
}

// --- random suites -------------------------------------------------------------------------------

struct Suite {
  std::vector<Task> works;
  Pool pool = host(8);
};

Suite random_suite(unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  Suite suite;
  const std::array<int, 4> widths{1, 2, 4, 8};
  const int count = number(20, 60);
  for (int i = 0; i < count; ++i)
    suite.works.push_back(on(widths[static_cast<std::size_t>(number(0, 3))], number(1, 30)));
  return suite;
}

// No schedule is shorter: all devices are busy all the time, cases wider than half of the host exclude one
// another, and one case takes as long as it takes.
Duration lower_bound(const Suite& suite) {
  const auto devices = static_cast<int>(suite.pool.devices.size());
  Duration area{}, wide{}, longest{};
  for (const Task& work : suite.works) {
    area += work.expected * work.shape.devices;
    if (work.shape.devices * 2 > devices) wide += work.expected;
    longest = std::max(longest, work.expected);
  }
  return std::max({area / devices, wide, longest});
}

void expect_no_device_twice(const std::vector<PlannedSlot>& turns) {
  for (std::size_t a = 0; a < turns.size(); ++a)
    for (std::size_t b = a + 1; b < turns.size(); ++b) {
      if (turns[a].end <= turns[b].begin || turns[b].end <= turns[a].begin) continue;
      for (const DeviceId& device : turns[a].devices)
        ASSERT_EQ(std::count(turns[b].devices.begin(), turns[b].devices.end(), device), 0);
    }
}

// Under a sanitizer, where they take minutes, the first ones alone.
constexpr unsigned suites = SANITIZED ? 10 : 500;

TEST(Simulation, FiveHundredRandomSuitesArePackedWell) {
  double worst = 0, sum = 0;
  for (unsigned seed = 1; seed <= suites; ++seed) {
    const Suite suite = random_suite(seed);
    const std::vector<PlannedSlot> turns = timeline(suite.works, suite.pool, order(suite.works, suite.pool));
    ASSERT_EQ(turns.size(), suite.works.size()) << "seed " << seed;
    expect_no_device_twice(turns);
    Duration end{};
    for (const PlannedSlot& turn : turns) {
      end = std::max(end, turn.end);
      ASSERT_EQ(turn.devices.size(), static_cast<std::size_t>(suite.works[turn.work].shape.devices));
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
    std::vector<Task> works{on(1, 10), on(8, 10)};
    for (int i = 0; i < 40; ++i) works.push_back(on(1, std::uniform_int_distribution(1, 30)(random)));
    const std::vector<PlannedSlot> turns = timeline(works, host(8), all(works));
    const auto wide =
        std::find_if(turns.begin(), turns.end(), [](const PlannedSlot& turn) { return turn.work == 1; });
    EXPECT_EQ(wide->begin, std::chrono::minutes(10)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gate::schedule::schedule_test
