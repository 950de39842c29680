// The devices of a run: leased, found idle before a case, and left idle behind it.
#include <gmock/gmock.h>

#include "made_up_host.h"

namespace gate::app::pool_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class Pool : public MadeUpHost {
 protected:
  Pool() { with_devices(2); }

  void device_case(const std::string& name, int devices = 1, const std::string& more = "") {
    script(name, "devices=" + std::to_string(devices) + " idle_wait=1m sample=0 " + more);
    recorded(name);
  }

  std::vector<std::string> problems(const Report& report, const std::string& name) const {
    std::vector<std::string> texts;
    for (const Problem& problem : case_of(report, name).problems) texts.push_back(problem.text.english());
    return texts;
  }
};

constexpr int much = 20'000;  // MiB

TEST_F(Pool, ACaseIsToldItsDevices) {
  device_case("a");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a passed");
  EXPECT_EQ(case_of(report, "a").platform, "nvidia-h100");
  EXPECT_EQ(case_of(report, "a").devices, "1 x nvidia-h100");
  EXPECT_THAT(runner.environment("a"), Contains(Pair("CUDA_VISIBLE_DEVICES", "0")));
}

// Another gate runs a case that writes there; it says for whom it waits.
TEST_F(Pool, WaitsForWhoWritesItsOutput) {
  put("gate.toml",
      "[case.a.outputs.o]\nfile = \"out/*.txt\"\ngolden = \"golden.txt\"\n"
      "metric = \"exact_match\"\ntolerance = \">= 1\"\n");
  put("golden.txt", "right");
  script("a", "");
  const std::string place = (fs::whole_path(root) / "out/*.txt").string();
  const std::string lease = "output-" + fs::sha256(place).substr(0, 16);
  auto other = devices::FolderLeases::open((root / "leases").string());
  ASSERT_TRUE(other);
  ASSERT_FALSE(*other->take(lease, {7, "b", "ada", "r", "c", ""}));
  on_message = [&](const std::string& text) {
    if (text.starts_with("waiting for ")) other->give_back(lease);
  };
  EXPECT_EQ(verdicts(ran()), "a incomplete");  // it wrote none
  EXPECT_THAT(events, Contains(HasSubstr("waiting for " + place + ": pid 7 of ada on b (case c, run r)")));
}

TEST_F(Pool, WaitsUntilADeviceIsIdle) {
  device_case("a");
  devices().hold(0, much, 5);
  const Duration before = time.passed();
  EXPECT_EQ(verdicts(ran()), "a passed");
  EXPECT_GE(time.passed() - before, Duration(2000));
  EXPECT_THAT(events,
              Contains(HasSubstr("a: waiting until its devices are idle: device 0: 20000 MiB of 81920 MiB "
                                 "in use")));
}

TEST_F(Pool, ADeviceThatStaysBusyIsOfTheHost) {
  device_case("a", 2);
  devices().hold(1, much);
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a infra");
  EXPECT_THAT(case_of(report, "a").reason, HasSubstr("not idle within 1m: device 1: "));
  EXPECT_THAT(runner.launched(), IsEmpty());
}

TEST_F(Pool, ADeviceThatIsLeftBusyIsNobodysAnyMore) {
  device_case("a", 2);
  device_case("b", 2);
  runner.plays("a", {{.meanwhile = [this] { devices().hold(1, much); }}});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a passed, b infra");
  EXPECT_THAT(problems(report, "a"),
              Contains(HasSubstr("device 1: no other case of the run may use it: it was not "
                                 "idle 1m after this one")));
  EXPECT_THAT(case_of(report, "b").reason, HasSubstr("device 1 is not usable any more"));
}

TEST_F(Pool, WhatFitsBesideItRunsOnTheOtherDevice) {
  device_case("a", 1);
  device_case("b", 1);
  runner.plays("a", {{.meanwhile = [this] { devices().hold(0, much); }}});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a passed, b passed");
  EXPECT_THAT(runner.environment("b"), Contains(Pair("CUDA_VISIBLE_DEVICES", "1")));
}

TEST_F(Pool, MemoryThatComesBackIsWaitedFor) {
  device_case("a", 2);
  device_case("b", 2);
  runner.plays("a", {{.meanwhile = [this] { devices().hold(1, much, 4); }}});
  EXPECT_EQ(verdicts(ran()), "a passed, b passed");
}

TEST_F(Pool, MoreThanThereAreIsOfTheHost) {
  script("a", "devices=8");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a infra");
  EXPECT_THAT(runner.launched(), IsEmpty());
}

TEST_F(Pool, ASickDeviceIsNotUsed) {
  device_case("a");
  device_case("b", 2);
  devices().sicken(0);
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a passed, b infra");
  EXPECT_THAT(runner.environment("a"), Contains(Pair("CUDA_VISIBLE_DEVICES", "1")));
  EXPECT_THAT(case_of(report, "b").reason, HasSubstr("too few are healthy (GPU 0: "));
}

TEST_F(Pool, ARecordingWantsAllOfTheHost) {
  script("a", "devices=1 idle_wait=1m sample=0");
  devices().hold(1, much);
  const Answer<Report> report = record_cases();
  ASSERT_TRUE(report);
  EXPECT_EQ(verdicts(*report), "a infra");
  EXPECT_THAT(case_of(*report, "a").reason, HasSubstr("device 1: "));
}

TEST_F(Pool, CasesWhoseSpeedIsJudgedRunOneAfterTheOther) {
  for (const char* name : {"a", "b", "c"}) device_case(name);
  ran();
  EXPECT_THAT(events, ElementsAre("a begins", "a ends: passed", "b begins", "b ends: passed", "c begins",
                                  "c ends: passed"));
}

TEST_F(Pool, LeasesAreGivenBack) {
  device_case("a", 2);
  ran();
  const Answer<DevicesSeen> seen = list_devices(host, Cut{});
  ASSERT_TRUE(seen);
  for (const DeviceRow& row : seen->rows) EXPECT_EQ(row.holder, "");
}

TEST_F(Pool, WhileACaseRunsItsDevicesAreLeased) {
  device_case("a", 2);
  std::vector<std::string> holders;
  runner.plays("a", {{.meanwhile = [&] {
                 const Answer<DevicesSeen> seen = list_devices(host, Cut{});
                 for (const DeviceRow& row : seen->rows) holders.push_back(row.holder.english());
               }}});
  ran();
  EXPECT_THAT(holders, ElementsAre(HasSubstr("somebody"), HasSubstr("somebody")));
}

TEST_F(Pool, ASignalEndsTheWait) {
  device_case("a");
  devices().hold(0, much);
  signal = 15;
  EXPECT_EQ(verdicts(ran()), "a not_run");
}

}  // namespace
}  // namespace gate::app::pool_test
