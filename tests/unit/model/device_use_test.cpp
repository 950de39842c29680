// What a run did with its devices.
#include "gate/model/reports/device_use.h"

#include <gmock/gmock.h>

namespace gate::device_use_test {
namespace {

using std::chrono::minutes;

CaseReport on_devices(int count, int took, Verdict verdict = Verdict::passed) {
  CaseReport one;
  one.duration = minutes(took);
  if (count > 0) one.device_time = minutes(took) * count;
  one.verdict = verdict;
  return one;
}

Report run_of(int took, std::vector<CaseReport> cases, int devices = 0) {
  Report report;
  report.devices = devices;
  report.duration = minutes(took);
  report.cases = std::move(cases);
  return report;
}

TEST(DeviceUse, IsWhatCasesHadAndWhatStoodStill) {
  const DeviceUse use = device_use_of(run_of(30, {on_devices(4, 10), on_devices(8, 20)}));
  EXPECT_EQ(use.devices, 8);
  EXPECT_EQ(use.used, minutes(200));
  EXPECT_EQ(use.idle, minutes(40));
  EXPECT_EQ(use.best, minutes(25));
}

TEST(DeviceUse, NoOrderIsFasterThanTheLongestCase) {
  EXPECT_EQ(device_use_of(run_of(30, {on_devices(1, 20), on_devices(8, 10)})).best, minutes(20));
}

TEST(DeviceUse, SaysWhatHangsAndTheHostCost) {
  CaseReport stopped = on_devices(2, 5, Verdict::regressed);
  stopped.device_time_saved = minutes(70);
  const DeviceUse use = device_use_of(
      run_of(60, {on_devices(2, 10, Verdict::hung), on_devices(2, 1, Verdict::infra), stopped}));
  EXPECT_EQ(use.hung, minutes(20));
  EXPECT_EQ(use.infra, minutes(2));
  EXPECT_EQ(use.saved, minutes(70));
  EXPECT_EQ(use.used, minutes(32));
  EXPECT_EQ(use.devices, 2);
}

TEST(DeviceUse, TheHostsHaveMoreThanTheLargestCase) {
  const DeviceUse use = device_use_of(run_of(30, {on_devices(4, 30)}, 16));
  EXPECT_EQ(use.devices, 16);
  EXPECT_EQ(use.idle, minutes(360));
  EXPECT_EQ(use.best, minutes(30));
}

TEST(DeviceUse, IsNothingWithoutDevices) {
  EXPECT_EQ(device_use_of(run_of(20, {on_devices(0, 10)})).runs, 0);
  EXPECT_EQ(device_use_of({}).runs, 0);
}

TEST(DeviceUse, OfSeveralRunsAddsUp) {
  DeviceUse all = device_use_of(run_of(30, {on_devices(4, 10), on_devices(8, 20)}));
  all += all;
  EXPECT_EQ(all.runs, 2);
  EXPECT_EQ(all.devices, 8);
  EXPECT_EQ(all.idle, minutes(80));
  EXPECT_EQ(all.best, minutes(50));
}

}  // namespace
}  // namespace gate::device_use_test
