#include "gate/judging/hardware.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "gate/model/numbers/metric.h"

namespace gate::app::hardware_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Clock = Sampler::Clock;

const Clock::time_point began{std::chrono::hours(1)};
const MetricTable metrics;

Device device(int index, double memory, double clock = 0, double utilization = 100) {
  Device one;
  one.vendor = "nvidia";
  one.index = index;
  one.memory_used = memory;
  one.utilization = utilization;
  if (clock > 0) one.clock = clock;
  return one;
}

Snapshot at(double seconds, std::vector<Device> devices) {
  return {began + std::chrono::milliseconds(static_cast<int>(seconds * 1000)), std::move(devices), {}};
}

Snapshot of_host(double seconds, int host, devices::HostUsage usage) {
  Snapshot snapshot = at(seconds, {});
  snapshot.hosts[host] = usage;
  return snapshot;
}

Extraction something_read() {
  Extraction run;
  run.series.emplace_back("lm_loss", std::nullopt, "", Numbering::step);
  return run;
}

std::vector<std::string> words_of(const Extraction& run, const std::string& metric, int rank) {
  std::vector<std::string> words;
  if (const Series* series = find_series(run.series, metric, rank))
    for (const Sample& sample : series->samples())
      words.push_back(std::to_string(sample.number) + ":" + sample.text);
  return words;
}

TEST(Readings, AreSeriesByTimeForEachDeviceOfTheScript) {
  Extraction run = something_read();
  const std::vector<Snapshot> seen{at(0.5, {device(0, 1), device(3, 10.25), device(5, 7)}),
                                   at(5.6, {device(0, 2), device(3, 20), device(5, 8)}),
                                   at(5.9, {device(0, 3), device(3, 99), device(5, 9)})};
  add_readings(run, seen, {{device(5, 0), device(3, 0)}, {}}, began, std::chrono::seconds(1), metrics);
  EXPECT_THAT(words_of(run, "device_memory", 0), ElementsAre("0:7", "5:8"));
  EXPECT_THAT(words_of(run, "device_memory", 1), ElementsAre("0:10.25", "5:20"));
  EXPECT_EQ(find_series(run.series, "device_memory", 1)->unit(), "MiB");
  EXPECT_EQ(find_series(run.series, "device_clock", 0), nullptr);  // the tool does not tell it
  EXPECT_EQ(find_series(run.series, "device_memory", 2), nullptr);
}

TEST(Readings, OfAHostHaveARankForEachNode) {
  Extraction run = something_read();
  const std::vector<Snapshot> seen{of_host(0, 4, {.busy = 100, .all = 1000, .memory_used = 50}),
                                   of_host(2, 7, {.busy = 1, .all = 2, .memory_used = 1}),
                                   of_host(5, 4, {.busy = 400, .all = 2000, .memory_used = 60, .power = 220}),
                                   of_host(9, 4, {.busy = 400, .all = 2100, .memory_used = 70})};
  add_readings(run, seen, {{}, {7, 4}}, began, std::chrono::seconds(1), metrics);
  EXPECT_THAT(words_of(run, "host_cpu", 1), ElementsAre("5:30", "9:0"));
  EXPECT_THAT(words_of(run, "host_memory", 1), ElementsAre("5:60", "9:70"));
  EXPECT_THAT(words_of(run, "host_power", 1), ElementsAre("5:220"));
  EXPECT_EQ(find_series(run.series, "host_cpu", 0), nullptr);  // it was seen once
}

TEST(Readings, AreNothingBesideALogThatHoldsNothing) {
  Extraction run;
  add_readings(run, {at(0, {device(0, 1)})}, {{device(0, 0)}, {0}}, began, std::chrono::seconds(1), metrics);
  EXPECT_THAT(run.series, IsEmpty());
}

std::vector<Arrival> a_step_a_second() {
  std::vector<Arrival> arrivals;
  for (int step = 1; step <= 20; ++step) arrivals.push_back({0, step, std::chrono::seconds(step)});
  return arrivals;
}

TEST(ClockedDown, SaysFromWhatToWhatAndDuringWhichSteps) {
  const std::vector<Snapshot> seen{at(1, {device(3, 0, 1980)}),  at(6, {device(3, 0, 1965)}),
                                   at(8, {device(3, 0, 1500)}),  at(12, {device(3, 0, 1410)}),
                                   at(15, {device(3, 0, 1500)}), at(18, {device(3, 0, 1980)})};
  EXPECT_THAT(clocked_down(seen, {device(3, 0)}, began, a_step_a_second()),
              ElementsAre("device 3: clock 1980 -> 1410 MHz during steps 8-15"));
}

TEST(ClockedDown, AnIdleClockIsNone) {
  const std::vector<Snapshot> seen{at(1, {device(3, 0, 345, 0)}), at(6, {device(3, 0, 1965)}),
                                   at(19, {device(3, 0, 345, 2)})};
  EXPECT_THAT(clocked_down(seen, {device(3, 0)}, began, a_step_a_second()), IsEmpty());
  EXPECT_THAT(clocked_down({at(1, {device(3, 0)})}, {device(3, 0)}, began, {}), IsEmpty());
}

TEST(SamplerTest, AsksUntilItIsGone) {
  std::promise<void> third;
  int asked = 0;
  const Clock::time_point before = Clock::now();
  {
    const Sampler sampler(
        [&](const Cut&) {
          if (++asked == 3) third.set_value();
          return Snapshot{{}, {device(0, asked)}, {}};
        },
        Duration(1));
    third.get_future().wait();
    EXPECT_GE(sampler.snapshots_since(before).size(), 2U);
    EXPECT_THAT(sampler.snapshots_since(Clock::now() + std::chrono::hours(1)), IsEmpty());
  }
  const int last = asked;
  EXPECT_GE(last, 3);
}

}  // namespace
}  // namespace gate::app::hardware_test
