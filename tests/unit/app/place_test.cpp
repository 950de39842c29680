#include "gate/places/placement.h"

#include <gtest/gtest.h>

namespace gate::app::place_test {
namespace {

config::Settings needs(std::optional<int> devices, std::vector<std::string> platform = {}) {
  config::Settings settings;
  settings.devices = devices;
  settings.platform = std::move(platform);
  return settings;
}

devices::Attached devices_of(int count, const std::string& vendor, const std::string& model) {
  devices::Attached attached;
  for (int i = 0; i < count; ++i) {
    Device& device = attached.devices.emplace_back();
    device.vendor = vendor;
    device.index = i;
    device.model = model;
  }
  return attached;
}

const devices::Attached nothing;
const devices::Attached eight_npus = devices_of(8, "ascend", "910B3");
const devices::Attached one_gpu = devices_of(1, "nvidia", "NVIDIA H100 80GB HBM3");
const devices::Attached dead_driver{{}, {{"ascend", "npu-smi ended with 255: no driver"}}};

TEST(Place, HasTheSizeOfItsPlatform) {
  config::Settings settings = needs(4);
  settings.devices_on["ascend-*"] = 8;
  settings.nodes_on["ascend-*"] = 2;
  const Placement on_ascend = place(settings, platform_of_host(eight_npus, "", ""));
  EXPECT_EQ(on_ascend.devices, "2 nodes, each 8 x ascend-910b3");
  EXPECT_EQ(on_ascend.shape, (Shape{.nodes = 2, .devices = 8}));
  settings.devices_on["ascend-910b3"] = 0;
  EXPECT_EQ(place(settings, platform_of_host(eight_npus, "", "")).platform, "cpu");
  EXPECT_EQ(place(settings, platform_of_host(one_gpu, "", "")).kind, Placement::Kind::infra)
      << "it has one of four";
  EXPECT_EQ(place_in_queue(settings, platform_of_host(nothing, "ascend-910b4", "")).devices,
            "2 nodes, each 8 x ascend-910b4");
}

TEST(Place, ThePlatformIsToldOrFound) {
  EXPECT_EQ(platform_of_host(nothing, "", "").platform, "cpu");
  EXPECT_EQ(platform_of_host(eight_npus, "", "").platform, "ascend-910b3");
  EXPECT_EQ(platform_of_host(dead_driver, "", "").platform, "");
  EXPECT_EQ(platform_of_host(eight_npus, "", "ascend-910b4").platform, "ascend-910b4");
  EXPECT_EQ(platform_of_host(eight_npus, "ascend-910b1", "ascend-910b3").platform, "ascend-910b1");
  devices::Attached mixed = devices_of(2, "nvidia", "NVIDIA A100-SXM4-80GB");
  mixed.devices.push_back(one_gpu.devices[0]);
  EXPECT_EQ(platform_of_host(mixed, "", "").platform, "nvidia-a100");
  EXPECT_EQ(platform_of_host(mixed, "", "").devices.size(), 2U);
  EXPECT_EQ(platform_of_host(mixed, "nvidia-any", "").devices.size(), 3U);
  EXPECT_EQ(platform_of_host(mixed, "nvidia-h100", "").devices.size(), 1U);
}

TEST(Place, APlatformOfAnotherModelThanTheDevicesIsInfra) {
  for (const char* told : {"ascend-910b1", "ascend-910c", "ascend-910b33", "ascend-91", "nvidia-h100"})
    EXPECT_EQ(
        place(needs(1), platform_of_host(eight_npus, told, "")).reason,
        std::string("needs 1 device; the platform is ") + told + ", and this host has 8 x ascend-910b3");
  for (const char* told : {"ascend-910b3", "ascend-910b", "ascend-910b3-pool2", "ascend-lab", "ascend"})
    EXPECT_EQ(place(needs(1), platform_of_host(eight_npus, told, "")).kind, Placement::Kind::run) << told;
  const devices::Attached of_no_letter = devices_of(1, "ascend", "Ascend910");
  EXPECT_EQ(place(needs(1), platform_of_host(of_no_letter, "ascend-910c", "")).kind, Placement::Kind::run);
}

TEST(Place, ACaseWithoutDevicesRunsAnywhere) {
  for (const devices::Attached& attached : {nothing, eight_npus, dead_driver}) {
    const Placement placement = place(needs(0), platform_of_host(attached, "", ""));
    EXPECT_EQ(placement.kind, Placement::Kind::run);
    EXPECT_EQ(placement.platform, "cpu");
  }
}

TEST(Place, AnotherPlatformIsSkippedWithTheReason) {
  const Placement placement = place(needs(8, {"ascend-*"}), platform_of_host(nothing, "", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::skipped);
  EXPECT_EQ(placement.reason,
            "needs 8 devices of ascend-*; this run's platform is cpu; this host: no accelerator");
}

TEST(Place, ACaseForDevicesIsSkippedWhereThereAreNoneIfCpuIsToldToBeThePlatform) {
  const Placement placement = place(needs(8), platform_of_host(nothing, "", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::infra);
  EXPECT_EQ(placement.reason,
            "needs 8 devices; this host: no accelerator; where no accelerator is meant: --platform cpu, or "
            "devices=0");
  EXPECT_EQ(place(needs(-1), platform_of_host(nothing, "", "")).kind, Placement::Kind::infra);
  EXPECT_EQ(place(needs(8), platform_of_host(nothing, "", "cpu")).kind, Placement::Kind::skipped);
  EXPECT_EQ(place(needs(-1), platform_of_host(nothing, "cpu", "")).kind, Placement::Kind::skipped);
  EXPECT_EQ(place(needs({}), platform_of_host(nothing, "", "")).kind, Placement::Kind::run);
}

TEST(PlaceInEngine, TakesTheTellersWordForThePlatform) {
  const HostPlatform told = platform_of_host({}, "nvidia-a100", ""), untold = platform_of_host({}, "", "");
  Placement placement = place_in_queue(needs(8), told);
  EXPECT_EQ(placement.kind, Placement::Kind::run);
  EXPECT_EQ(placement.devices, "8 x nvidia-a100");
  EXPECT_EQ(placement.shape.devices, 8);
  EXPECT_EQ(place_in_queue(needs(0), untold).platform, "cpu");
  EXPECT_EQ(place_in_queue(needs({}), untold).platform, "cpu");
  EXPECT_EQ(place_in_queue(needs(8), untold).kind, Placement::Kind::infra);
  EXPECT_EQ(place_in_queue(needs(-1), told).kind, Placement::Kind::infra);
  EXPECT_EQ(place_in_queue(needs({}), told).kind, Placement::Kind::infra);
  EXPECT_EQ(place_in_queue(needs(8, {"ascend-*"}), told).kind, Placement::Kind::skipped);
  EXPECT_EQ(place_in_queue(needs(8), platform_of_host({}, "cpu", "")).kind, Placement::Kind::skipped);
}

TEST(Place, DevicesThatShouldBeThereAndAreNotAreInfra) {
  const Placement placement = place(needs(8, {"ascend-*"}), platform_of_host(nothing, "ascend-910b3", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::infra);
  EXPECT_EQ(placement.reason,
            "needs 8 devices of ascend-*; the platform is ascend-910b3, and this host has no accelerator");
  EXPECT_EQ(place(needs(8), platform_of_host(one_gpu, "nvidia-h100", "")).kind, Placement::Kind::infra);
  EXPECT_EQ(place(needs(8), platform_of_host(one_gpu, "", "")).reason,
            "needs 8 devices; the platform is nvidia-h100, and this host has 1 x nvidia-h100");
  EXPECT_EQ(place(needs({}), platform_of_host(dead_driver, "ascend-910b3", "")).kind, Placement::Kind::infra);
  config::Settings asked = needs(8);  // by a hub, which waits for no larger host
  asked.accuracy_test = true;
  EXPECT_EQ(place(asked, platform_of_host(one_gpu, "", "")).kind, Placement::Kind::unjudged);
  EXPECT_EQ(place(asked, platform_of_host(nothing, "nvidia-h100", "")).kind, Placement::Kind::infra);
}

TEST(Place, WhatNobodyCanTellIsInfraForItsVendorOnly) {
  const Placement placement = place(needs(8, {"ascend-*"}), platform_of_host(dead_driver, "", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::infra);
  EXPECT_EQ(placement.reason,
            "npu-smi ended with 255: no driver; where no accelerator is meant: --platform cpu, or devices=0");
  EXPECT_EQ(place(needs(8, {"nvidia-*"}), platform_of_host(dead_driver, "", "")).kind,
            Placement::Kind::skipped);
  EXPECT_EQ(place(needs({}), platform_of_host(dead_driver, "", "")).kind, Placement::Kind::infra);
}

TEST(Place, ADeadDriverBesideAnotherVendorsDeviceIsInfra) {
  devices::Attached mixed = one_gpu;
  mixed.faults = dead_driver.faults;
  EXPECT_EQ(place(needs(8, {"ascend-*"}), platform_of_host(mixed, "", "")).kind, Placement::Kind::infra);
  EXPECT_EQ(place(needs(1, {"amd-*"}), platform_of_host(mixed, "", "")).kind, Placement::Kind::skipped);
  EXPECT_EQ(place(needs(1), platform_of_host(mixed, "", "")).kind, Placement::Kind::run);
}

TEST(Place, DevicesByTheirNumbers) {
  config::Settings settings = needs(2);
  settings.device_list = {"3", "7"};
  EXPECT_EQ(place(settings, platform_of_host(eight_npus, "", "")).kind, Placement::Kind::run);
  settings.device_list = {"3", "8"};
  EXPECT_EQ(place(settings, platform_of_host(eight_npus, "", "")).reason,
            "needs device 8; there is none of that number among 8 x ascend-910b3");
}

TEST(Place, ARehearsalTakesNoDeviceAndStandsForThose) {
  const auto rehearse = [](const config::Settings& settings, const std::string& platform,
                           const devices::Attached& attached = nothing) {
    HostPlatform host = platform_of_host(attached, platform, "");
    host.is_rehearsed = true;
    return place(settings, host);
  };
  for (const devices::Attached& attached : {nothing, eight_npus, one_gpu, dead_driver}) {
    const Placement placement = rehearse(needs(8, {"nvidia-*"}), "nvidia-h100", attached);
    EXPECT_EQ(placement.kind, Placement::Kind::run);
    EXPECT_EQ(placement.platform, "nvidia-h100");
    EXPECT_EQ(placement.devices, "0 of 8 x nvidia-h100: a rehearsal");
    EXPECT_TRUE(placement.shape.is_on_cpu());
    EXPECT_EQ(placement.rehearsed, 8);
    EXPECT_EQ(placement.told_devices(), 8);
  }
  config::Settings settings = needs(2);
  settings.device_list = {"3", "8"};
  settings.nodes = 2;
  EXPECT_EQ(rehearse(settings, "nvidia-h100").devices, "2 nodes, each 0 of 2 x nvidia-h100: a rehearsal");
  for (const std::optional<int> whole : {std::optional<int>(), std::optional(-1)}) {
    EXPECT_EQ(rehearse(needs(whole), "ascend-910b3").rehearsed, 1);
    EXPECT_EQ(rehearse(needs(whole), "ascend-910b3", eight_npus).rehearsed, 8);
  }
  EXPECT_EQ(rehearse(needs(8, {"ascend-*"}), "nvidia-h100").kind, Placement::Kind::skipped);
  const Placement on_cpu = rehearse(needs(0), "nvidia-h100");
  EXPECT_EQ(on_cpu.platform, "cpu");
  EXPECT_FALSE(on_cpu.rehearsed);
}

TEST(PlaceInEngine, ARehearsalAsksForNoDevice) {
  HostPlatform told = platform_of_host({}, "nvidia-a100", "");
  told.is_rehearsed = true;
  for (const auto& [devices, wanted] : {std::pair(8, 8), std::pair(-1, 1)}) {
    const Placement placement = place_in_queue(needs(devices), told);
    EXPECT_EQ(placement.kind, Placement::Kind::run);
    EXPECT_EQ(placement.rehearsed, wanted);
    EXPECT_TRUE(placement.shape.is_on_cpu());
  }
  EXPECT_FALSE(place_in_queue(needs(0), told).rehearsed);
  EXPECT_EQ(place_in_queue(needs(8, {"ascend-*"}), told).kind, Placement::Kind::skipped);
}

TEST(Place, DevicesAreCountedForTheReport) {
  const Placement placement = place(needs(4, {"ascend-*"}), platform_of_host(eight_npus, "", ""));
  EXPECT_EQ(placement.kind, Placement::Kind::run);
  EXPECT_EQ(placement.devices, "4 x ascend-910b3");
  EXPECT_EQ(place(needs({}), platform_of_host(eight_npus, "", "")).shape.devices, 8);
}

}  // namespace
}  // namespace gate::app::place_test
