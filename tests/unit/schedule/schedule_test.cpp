#include "gate/schedule/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>

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
  Resources resources{.jobs = jobs};
  for (int index = 0; index < devices; ++index) resources.devices.emplace_back(index);
  return resources;
}

Resources hosts(int count, int devices = 8, std::size_t jobs = 100) {
  Resources resources{.hosts = {}, .jobs = jobs};
  for (int number = 0; number < count; ++number) {
    resources.hosts.push_back(number);
    for (int index = 0; index < devices; ++index) resources.devices.emplace_back(index, number);
  }
  return resources;
}

Task nodes(int count, int devices) {
  Task task = on(devices);
  task.shape.nodes = count;
  return task;
}

Task only_on(std::vector<int> allowed, Task task) {
  task.hosts = std::move(allowed);
  return task;
}

Task alone(Task task) {
  task.exclusive = true;
  return task;
}

Running on_host(std::size_t task, int host, std::vector<DeviceId> devices = {}, int minutes = 0) {
  return {task, std::move(devices), std::chrono::minutes(minutes), {host}};
}

std::vector<DeviceId> indices(int begin, int count, int host = 0) {
  std::vector<DeviceId> devices;
  for (int index = begin; index < begin + count; ++index) devices.emplace_back(index, host);
  return devices;
}

std::vector<std::size_t> all(const std::vector<Task>& tasks) {
  std::vector<std::size_t> indices(tasks.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

std::optional<Start> first(const std::vector<Task>& tasks, const Resources& resources,
                           std::vector<Running> running, std::vector<DeviceId> free) {
  std::vector<std::size_t> waiting = all(tasks);
  for (Running& one : running) {
    std::erase(waiting, one.task);
    if (one.hosts.empty()) one.hosts = {0};
  }
  return next(tasks, resources, {waiting, std::move(running), std::move(free)});
}

std::optional<Start> first(const std::vector<Task>& tasks, const Resources& resources) {
  return first(tasks, resources, {}, resources.devices);
}

TEST(Next, AnEngineTakesAsManyJobsAsItsBoundSays) {
  Resources resources = host(0, 1);
  resources.hosts = {0, 1};
  resources.engines = {1};
  resources.engine_jobs = 2;
  const std::vector<Task> tasks(4, only_on({1}, on(0)));
  State state{.waiting = {2, 3}, .running = {on_host(0, 1)}};
  ASSERT_TRUE(next(tasks, resources, state));
  state.running.push_back(on_host(1, 1));
  EXPECT_FALSE(next(tasks, resources, state));
}

TEST(Next, TheDevicesOfANodeAreOfOneHost) {
  const std::vector<DeviceId> free{{0, 0}, {1, 1}, {2, 1}, {3, 1}, {0, 2}};
  EXPECT_THAT(first({on(2)}, hosts(3), {}, free)->devices, ElementsAre(DeviceId(2, 1), DeviceId(3, 1)));
  EXPECT_FALSE(first({on(4)}, hosts(3), {}, free)) << "four are free, and on no host";
  const std::optional<Start> two = first({nodes(2, 1)}, hosts(3), {}, free);
  EXPECT_THAT(two->devices, ElementsAre(DeviceId(0, 0), DeviceId(0, 2))) << "where they fit most tightly";
  EXPECT_THAT(two->hosts, ElementsAre(0, 2));
  EXPECT_FALSE(first({nodes(2, 2)}, hosts(3), {}, free)) << "no two nodes share a host";
}

TEST(Next, NodesOnHostsOfTheirOwn) {
  const std::optional<Start> start = first({nodes(2, 2)}, hosts(2));
  EXPECT_THAT(start->devices, ElementsAre(DeviceId(0), DeviceId(1), DeviceId(0, 1), DeviceId(1, 1)));
  EXPECT_THAT(start->hosts, ElementsAre(0, 1));
  EXPECT_FALSE(first({nodes(3, 2)}, hosts(2)));
}

TEST(Next, OnlyOnTheHostsThatItMayHave) {
  const Task second = only_on({1}, on(2));
  EXPECT_THAT(first({second}, hosts(2))->devices, ElementsAre(DeviceId(0, 1), DeviceId(1, 1)));
  EXPECT_THAT(first({only_on({1, 2}, on(0))}, hosts(3))->hosts, ElementsAre(1));
  EXPECT_FALSE(first({only_on({5}, on(0))}, hosts(2)));
  EXPECT_FALSE(first({only_on({0}, nodes(2, 1))}, hosts(2)));
  Resources one_left = hosts(2);
  one_left.hosts = {0};
  EXPECT_FALSE(first({second}, one_left)) << "its devices are there, the host is not";
}

TEST(Next, NamedDevicesOnTheFirstHostThatHasThemAll) {
  Task task = on(2);
  task.chosen = {3, 2};
  const std::vector<DeviceId> free{{2, 0}, {2, 1}, {3, 1}, {2, 2}, {3, 2}};
  EXPECT_THAT(first({task}, hosts(3), {}, free)->devices, ElementsAre(DeviceId(3, 1), DeviceId(2, 1)));
  EXPECT_THAT(first({only_on({2}, task)}, hosts(3), {}, free)->hosts, ElementsAre(2));
}

TEST(Next, CpuSlotsAndJobsAreThoseOfEachHost) {
  const std::vector<Task> three{on(0), on(0), on(0)};
  EXPECT_THAT(first(three, hosts(2), {on_host(0, 0)}, {})->hosts, ElementsAre(1));
  EXPECT_FALSE(first(three, hosts(2), {on_host(0, 0), on_host(1, 1)}, {}));
  EXPECT_THAT(first({nodes(2, 0)}, hosts(3))->hosts, ElementsAre(0, 1));
  EXPECT_FALSE(first({nodes(2, 0), on(0)}, hosts(2), {on_host(1, 1)}, {}));
  EXPECT_THAT(first({on(1), on(1)}, hosts(2, 8, 1), {on_host(1, 0, {7})}, {{0, 0}, {3, 1}})->hosts,
              ElementsAre(1));
  EXPECT_FALSE(first({on(1), on(1), on(1)}, hosts(2, 8, 1), {on_host(1, 0, {7}), on_host(2, 1, {{7, 1}})},
                     {{0, 0}, {3, 1}}));
}

TEST(Next, ACpuTaskGoesWhereTheFewestRun) {
  const std::vector<Task> tasks{on(0), on(1), on(1), on(1)};
  const std::vector<Running> running{on_host(1, 0, {0}), on_host(2, 0, {1}), on_host(3, 1, {{0, 1}})};
  EXPECT_THAT(first(tasks, hosts(2), running, {})->hosts, ElementsAre(1));
}

TEST(Next, ExclusiveHasItsOwnHostsOnly) {
  const std::vector<Task> tasks{alone(on(1)), on(1), on(1)};
  EXPECT_THAT(first(tasks, hosts(2), {on_host(1, 0, {0})}, {{1, 0}, {0, 1}})->hosts, ElementsAre(1));
  EXPECT_THAT(first(tasks, hosts(2), {on_host(0, 0, {0})}, {{1, 0}, {0, 1}})->hosts, ElementsAre(1));
  EXPECT_FALSE(first(tasks, hosts(2), {on_host(0, 0, {0})}, {{1, 0}, {2, 0}}));
}

TEST(Next, TheHostThatIsEmptyFirstIsKeptForAnExclusiveOne) {
  const std::vector<Task> tasks{alone(on(1)), on(1), on(1), on(1)};
  const std::vector<Running> running{on_host(2, 0, {0}, 9), on_host(3, 1, {{0, 1}}, 5)};
  const std::vector<DeviceId> free{{1, 0}, {1, 1}};
  const std::optional<Start> start = first(tasks, hosts(2), running, free);
  EXPECT_EQ(start->task, 1U);
  EXPECT_THAT(start->hosts, ElementsAre(0));
  EXPECT_FALSE(first(tasks, hosts(2), running, {{1, 1}}));
  EXPECT_FALSE(first(tasks, hosts(2), {on_host(2, 0, {0}), on_host(3, 0, {1})}, {{2, 0}}));
}

TEST(Next, AHostWithTooFewDevicesIsNotKeptForAnExclusiveOne) {
  const std::vector<Task> tasks{alone(on(8)), on(1), on(4), on(4)};
  const std::vector<Running> running{on_host(2, 0, indices(0, 4), 1), on_host(3, 1, indices(0, 4, 1), 9)};
  std::vector<DeviceId> free = indices(4, 3);  // others hold device 7 of host 0
  for (const DeviceId& device : indices(4, 4, 1)) free.push_back(device);
  EXPECT_THAT(first(tasks, hosts(2), running, free)->hosts, ElementsAre(0));
}

TEST(Next, NoHostIsKeptForAnExclusiveOneThatWaitsForOthers) {
  const std::vector<Task> tasks{only_on({0}, alone(on(8))), on(1)};
  EXPECT_THAT(first(tasks, hosts(2), {}, {{1, 0}, {1, 1}, {2, 1}})->hosts, ElementsAre(0));
}

TEST(Next, DevicesAreKeptOnTheHostThatHasThemFirst) {
  const std::vector<Task> tasks{on(8, 10), on(2, 60), on(4, 10), on(4, 10)};
  const std::vector<Running> running{on_host(2, 0, indices(0, 4), 9), on_host(3, 1, indices(0, 4, 1), 5)};
  std::vector<DeviceId> free = indices(4, 4);
  EXPECT_FALSE(first(tasks, hosts(2), running, indices(4, 4, 1))) << "host 1 is kept";
  EXPECT_THAT(first({on(8, 10), on(2, 5), on(4), on(4)}, hosts(2), running, indices(4, 4, 1))->hosts,
              ElementsAre(1))
      << "it ends by then";
  for (const DeviceId& device : indices(4, 4, 1)) free.push_back(device);
  EXPECT_THAT(first(tasks, hosts(2), running, free)->hosts, ElementsAre(0)) << "host 0 is not kept";
  EXPECT_THAT(first({on(6, 10), on(2, 60), on(4), on(4)}, hosts(2), running, indices(4, 4, 1))->hosts,
              ElementsAre(1))
      << "two are spare";
}

TEST(Next, APortIsThatOfAHost) {
  Task a = on(1), b = on(1);
  a.port = b.port = 6000;
  EXPECT_THAT(first({a, b}, hosts(2), {on_host(0, 0, {0})}, {{1, 0}, {2, 1}})->hosts, ElementsAre(1));
  EXPECT_FALSE(first({a, b}, hosts(2), {on_host(0, 0, {0})}, {{1, 0}}));
  EXPECT_EQ(first({a, b, on(1)}, hosts(2), {on_host(0, 0, {0})}, {{1, 0}})->task, 2U);
}

TEST(Next, LogsAreThoseOfAllHosts) {
  Task a = on(1), b = on(1);
  a.logs = b.logs = 0;
  EXPECT_FALSE(first({a, b}, hosts(2), {on_host(0, 0, {0})}, {{1, 0}, {2, 1}}));
}

TEST(Next, WhatIsRefusedOnAHostIsTriedOnAnother) {
  const Resources two = hosts(2);
  EXPECT_THAT(next({on(1)}, two, {{0}, {}, two.devices, {{0, 0}}})->hosts, ElementsAre(1));
  EXPECT_FALSE(next({on(1)}, two, {{0}, {}, two.devices, {{0, 0}, {0, 1}}}));
  EXPECT_EQ(next({on(1), on(1)}, hosts(1), {{0, 1}, {}, {0}, {{0, 0}}})->task, 1U);
}

TEST(HasEnough, CountsHostsAndTheDevicesOfEach) {
  Resources resources = hosts(2, 4);
  EXPECT_TRUE(has_enough(nodes(2, 4), resources));
  EXPECT_FALSE(has_enough(on(5), resources));
  EXPECT_FALSE(has_enough(nodes(3, 1), resources));
  EXPECT_FALSE(has_enough(only_on({1}, nodes(2, 1)), resources));
  Task named = on(1);
  named.chosen = {3};
  EXPECT_TRUE(has_enough(named, resources));
  std::erase(resources.devices, DeviceId(3, 0));
  EXPECT_TRUE(has_enough(named, resources));
  EXPECT_FALSE(has_enough(only_on({0}, named), resources));
  EXPECT_FALSE(has_enough(nodes(2, 4), resources));
  resources.hosts = {1};
  EXPECT_FALSE(has_enough(nodes(2, 0), resources));
  EXPECT_FALSE(has_enough(only_on({0}, on(0)), resources));
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
  EXPECT_EQ(first({on(8, 10), on(1, 20), on(1, 5), on(4, 10)}, host(8), running, {4, 5, 6, 7})->task, 2U);
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
constexpr unsigned suites = SANITIZED ? 4 : 500;

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

TEST(Simulation, NoStarvationOnTwoHosts) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    const auto minutes = [&] { return std::uniform_int_distribution(1, 30)(random); };
    std::vector<Task> tasks{on(5, 10), on(5, 12), on(8, 10)};
    for (int i = 0; i < 40; ++i) tasks.push_back(on(1, minutes()));
    const std::vector<PlannedSlot> slots = timeline(tasks, hosts(2), all(tasks));
    const auto wide = std::ranges::find(slots, 2U, &PlannedSlot::task);
    EXPECT_EQ(wide->begin, std::chrono::minutes(10)) << "seed " << seed;
    EXPECT_THAT(wide->hosts, ElementsAre(0));
  }
}

TEST(Simulation, SixteenHostsArePackedWithoutAGap) {
  constexpr int count = SANITIZED ? 6 : 16;
  std::vector<Task> tasks;
  for (int i = 0; i < 4 * count; ++i) tasks.push_back(on(8, 10));
  for (const PlannedSlot& slot : timeline(tasks, hosts(count), order(tasks, hosts(count))))
    EXPECT_LE(slot.end, std::chrono::minutes(40));
  for (int i = 0; i < 4 * count; ++i) tasks.push_back(on(i % 2 == 0 ? 5 : 3, 10));
  std::vector<PlannedSlot> slots = timeline(tasks, hosts(count), order(tasks, hosts(count)));
  EXPECT_EQ(slots.size(), tasks.size());
  EXPECT_EQ(std::ranges::max(slots, {}, &PlannedSlot::end).end, std::chrono::minutes(60));
}

// --- random suites on random hosts ------------------------------------------------------------------

Suite random_hosts(unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  const int count = number(1, 5);
  Suite suite{.tasks = {}, .resources = hosts(count, 8, static_cast<std::size_t>(number(1, 6)))};
  suite.resources.cpu_slots = static_cast<std::size_t>(number(1, 3));
  std::erase_if(suite.resources.devices, [&](const DeviceId&) { return number(0, 5) == 0; });
  for (int i = number(10, 60); i > 0; --i) {
    Task& task = suite.tasks.emplace_back(on(number(0, 8), number(0, 30)));
    task.shape.nodes = number(0, 2) > 0 ? 1 : number(1, count + 1);
    task.exclusive = number(0, 4) == 0;
    if (number(0, 3) == 0) task.port = number(6000, 6002);
    if (number(0, 5) == 0) task.logs = static_cast<std::size_t>(number(0, 1));
    for (int host = 0; host < count && seed % 2 == 0; ++host)
      if (number(0, 1) == 0) task.hosts.push_back(host);
    if (task.shape.devices == 1 && number(0, 3) == 0) task.chosen = {number(0, 7)};
  }
  return suite;
}

bool is_placed_well(const Task& task, const PlannedSlot& slot) {
  for (std::size_t i = 0; i < slot.hosts.size(); ++i) {
    const bool is_allowed = task.hosts.empty() || std::ranges::count(task.hosts, slot.hosts[i]) == 1;
    if (!is_allowed || std::ranges::count(slot.hosts, slot.hosts[i]) != 1) return false;
    if (std::ranges::count(slot.devices, slot.hosts[i], &DeviceId::host) != task.shape.devices) return false;
    for (const DeviceId& one : task.chosen)
      if (std::ranges::count(slot.devices, DeviceId(one.index, slot.hosts[i])) != 1) return false;
  }
  return std::ssize(slot.hosts) == task.shape.nodes && std::ssize(slot.devices) == task.shape.all_devices();
}

bool may_share(const Task& a, const Task& b) {
  return !a.exclusive && !b.exclusive && (!a.port || a.port != b.port);
}

// Whenever a task begins, all that runs on its hosts may run beside it.
void expect_room_for(const PlannedSlot& slot, const std::vector<PlannedSlot>& slots, const Suite& suite) {
  std::map<int, std::size_t> running, on_cpu;
  for (const PlannedSlot& other : slots) {
    if (other.begin > slot.begin || other.end <= slot.begin) continue;
    const Task &a = suite.tasks[slot.task], &b = suite.tasks[other.task];
    for (const int host : other.hosts) {
      ++running[host];
      if (b.shape.is_on_cpu()) ++on_cpu[host];
      const bool is_beside = other.task != slot.task && std::ranges::count(slot.hosts, host) > 0;
      EXPECT_TRUE(!is_beside || may_share(a, b)) << slot.task << " and " << other.task << " on host " << host;
    }
    EXPECT_TRUE(other.task == slot.task || !a.logs || a.logs != b.logs);
  }
  for (const int host : slot.hosts) {
    EXPECT_LE(running[host], suite.resources.jobs);
    EXPECT_LE(on_cpu[host], suite.resources.cpu_slots);
  }
}

TEST(Simulation, RandomTasksOnRandomHostsHaveWhatTheyNeedAndAllOfThemStart) {
  for (unsigned seed = 1; seed <= suites; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Suite suite = random_hosts(seed);
    const std::vector<PlannedSlot> slots = timeline(suite.tasks, suite.resources, all(suite.tasks));
    expect_no_device_twice(slots);
    for (const PlannedSlot& slot : slots) {
      EXPECT_TRUE(is_placed_well(suite.tasks[slot.task], slot)) << slot.task;
      expect_room_for(slot, slots, suite);
    }
    for (std::size_t i = 0; i < suite.tasks.size(); ++i)
      EXPECT_EQ(std::ranges::count(slots, i, &PlannedSlot::task),
                has_enough(suite.tasks[i], suite.resources) ? 1 : 0)
          << i;
    if (HasFailure()) return;
  }
}

// What is passed over once is not looked at again before a task ends: that changes nothing.
TEST(Simulation, ATimelineIsWhatNextSaysStepByStep) {
  for (unsigned seed = 1; seed <= suites; ++seed) {
    Suite suite = random_hosts(seed);
    for (Task& task : suite.tasks) task.expected += std::chrono::minutes(1);
    const std::vector<PlannedSlot> slots = timeline(suite.tasks, suite.resources, all(suite.tasks));
    State state{.waiting = all(suite.tasks), .free = suite.resources.devices};
    Duration now{};
    for (const PlannedSlot& slot : slots) {
      std::optional<Start> start;
      while (!(start = next(suite.tasks, suite.resources, state)) && !state.running.empty()) {
        const auto first = std::ranges::min_element(state.running, {}, &Running::rest);
        const Running ended = *first;
        state.running.erase(first);
        now += ended.rest;
        for (Running& one : state.running) one.rest -= ended.rest;
        state.free.insert(state.free.end(), ended.devices.begin(), ended.devices.end());
        std::ranges::sort(state.free);
      }
      ASSERT_TRUE(start) << "seed " << seed;
      ASSERT_EQ(std::tuple(start->task, now, start->devices, start->hosts),
                std::tuple(slot.task, slot.begin, slot.devices, slot.hosts))
          << "seed " << seed;
      std::erase(state.waiting, start->task);
      for (const DeviceId& device : start->devices) std::erase(state.free, device);
      state.running.push_back({start->task, start->devices, slot.end - slot.begin, start->hosts});
    }
  }
}

TEST(Simulation, AThousandHostsArePlanned) {
  std::mt19937 random(1);
  std::vector<Task> tasks;
  for (int i = 0; i < (SANITIZED ? 80 : 4000); ++i)
    tasks.push_back(
        on(std::uniform_int_distribution(0, 8)(random), std::uniform_int_distribution(1, 90)(random)));
  const Resources resources = hosts(SANITIZED ? 8 : 1000);
  EXPECT_EQ(timeline(tasks, resources, order(tasks, resources)).size(), tasks.size());
}

}  // namespace
}  // namespace gate::schedule::schedule_test
