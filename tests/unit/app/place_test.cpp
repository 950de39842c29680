#include "gate/app/place.h"

#include <gtest/gtest.h>

namespace gate::app {
namespace {

config::Settings needs(std::optional<int> devices, std::vector<std::string> platform = {}) {
  config::Settings settings;
  settings.devices = devices;
  settings.platform = std::move(platform);
  return settings;
}

const launch::HostFacts no_devices{"host", {}};
const launch::HostFacts eight_npus{"host", {{"ascend", 8}}};
const launch::HostFacts one_gpu{"host", {{"nvidia", 1}}};

TEST(Place, AHostWithoutDeviceNodesIsCpu) {
  EXPECT_EQ(host_platform(no_devices, "", "").platform, "cpu");
  EXPECT_EQ(host_platform(eight_npus, "", "").platform, "");
  EXPECT_EQ(host_platform(eight_npus, "", "ascend-910b3").platform, "ascend-910b3");
  EXPECT_EQ(host_platform(eight_npus, "ascend-910b1", "ascend-910b3").platform, "ascend-910b1");
}

TEST(Place, ACaseWithoutDevicesRunsAnywhere) {
  for (const launch::HostFacts& facts : {no_devices, eight_npus}) {
    const Placement placement = place(needs(0), host_platform(facts, "", ""));
    EXPECT_EQ(placement.kind, Placement::Kind::run);
    EXPECT_EQ(placement.platform, "cpu");
  }
}

TEST(Place, AnotherPlatformIsSkippedWithTheReason) {
  const Placement placement = place(needs(8, {"ascend-*"}), host_platform(no_devices, "", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::skipped);
  EXPECT_EQ(placement.reason,
            "needs 8 devices of ascend-*; this run's platform is cpu, no accelerator attached");
}

TEST(Place, ACaseForDevicesWithoutAPatternIsSkippedWhereThereAreNone) {
  EXPECT_EQ(place(needs(8), host_platform(no_devices, "", "")).kind, Placement::Kind::skipped);
  EXPECT_EQ(place(needs(-1), host_platform(no_devices, "", "")).kind, Placement::Kind::skipped);
  EXPECT_EQ(place(needs({}), host_platform(no_devices, "", "")).kind, Placement::Kind::run);
}

TEST(Place, DevicesThatShouldBeThereAndAreNotAreInfra) {
  const Placement placement = place(needs(8, {"ascend-*"}), host_platform(no_devices, "ascend-910b3", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::infra);
  EXPECT_EQ(placement.reason,
            "needs 8 devices of ascend-*; the platform is ascend-910b3, and this host has no accelerator");
  EXPECT_EQ(place(needs(8), host_platform(one_gpu, "nvidia-h100", "")).kind, Placement::Kind::infra);
}

TEST(Place, AttachedDevicesOfUnknownModelAreInfraForTheirVendorOnly) {
  EXPECT_EQ(place(needs(8, {"ascend-*"}), host_platform(eight_npus, "", "")).kind, Placement::Kind::infra);
  EXPECT_EQ(place(needs(8, {"nvidia-*"}), host_platform(eight_npus, "", "")).kind, Placement::Kind::skipped);
  EXPECT_EQ(place(needs({}), host_platform(eight_npus, "", "")).kind, Placement::Kind::infra);
}

TEST(Place, DevicesThatAreThereAreUsed) {
  const Placement placement = place(needs(4, {"ascend-*"}), host_platform(eight_npus, "ascend-910b3", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::run);
  EXPECT_EQ(placement.devices, "4 x ascend-910b3");
  EXPECT_EQ(place(needs({}), host_platform(eight_npus, "ascend-910b3", "")).device_count, 8);
}

}  // namespace
}  // namespace gate::app
