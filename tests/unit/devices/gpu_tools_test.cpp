#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_tools.h"
#include "gate/devices/discover.h"
#include "gate/devices/idle.h"

namespace gate::devices::gpu_tools_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* gpus =
    "index, name, uuid, pci.bus_id, utilization.gpu [%], memory.used [MiB], memory.total [MiB], "
    "temperature.gpu, power.draw [W], clocks.current.sm [MHz]\n"
    "0, NVIDIA H100 80GB HBM3, GPU-11aa, 00000000:19:00.0, 0, 4, 81559, 31, 71.33, 345\n"
    "1, NVIDIA H100 80GB HBM3, GPU-22bb, 00000000:3B:00.0, 98, 70333, 81559, 64, 688.10, 1410\n";
constexpr const char* apps =
    "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-22bb, 5120, python3, 70320\n";

FakeTools nvidia(ToolAnswer devices, ToolAnswer processes = printed(apps)) {
  return FakeTools()
      .says("nvidia-smi --query-gpu=", std::move(devices))
      .says("nvidia-smi --query-compute-apps=", std::move(processes));
}

TEST(NvidiaSmi, DevicesAndTheirProcesses) {
  const Attached seen = discover({}, nvidia(printed(gpus)));
  ASSERT_EQ(seen.devices.size(), 2U);
  const Device& second = seen.devices[1];
  EXPECT_EQ(second.name, "GPU 1");
  EXPECT_EQ(platform_of(second), "nvidia-h100");
  EXPECT_EQ(second.uuid, "GPU-22bb");
  EXPECT_EQ(second.bus, "00000000:3b:00.0");
  EXPECT_EQ(second.memory_used, 70333);
  EXPECT_EQ(second.utilization, 98);
  EXPECT_EQ(second.power, 688.10);
  EXPECT_EQ(second.clock, 1410);
  ASSERT_EQ(second.users.size(), 1U);
  EXPECT_EQ(second.users[0].pid, 5120);
  EXPECT_EQ(occupation(second), "in use by pid 5120 python3 (70320 MiB)");
  EXPECT_EQ(occupation(seen.devices[0]), std::nullopt);
}

TEST(NvidiaSmi, UnitsBehindTheValues) {
  const Device device =
      discover(
          {},
          nvidia(printed(
                     "index, name, memory.used [MiB], utilization.gpu [%]\n0, NVIDIA A10G, 5000 MiB, 50 %\n"),
                 printed("gpu_uuid, pid\n")))
          .devices.at(0);
  EXPECT_EQ(device.memory_used, 5000);
  EXPECT_EQ(device.utilization, 50);
}

TEST(NvidiaSmi, AMissingValueIsUnknown) {
  const Device device = discover({}, nvidia(printed("index, name, uuid, memory.used [MiB], power.draw [W]\n"
                                                    "0, NVIDIA GB10, GPU-1, [N/A], [Not Supported]\n"),
                                            printed("\n")))
                            .devices.at(0);
  EXPECT_EQ(device.memory_used, std::nullopt);
  EXPECT_EQ(device.power, std::nullopt);
  EXPECT_EQ(device.health, "");
  EXPECT_EQ(occupation(device), std::nullopt);
}

TEST(NvidiaSmi, ADeviceThatIsOutOfOrder) {
  const Device device =
      discover({}, nvidia(printed("index, name, temperature.gpu\n0, NVIDIA L40S, [GPU requires reset]\n"),
                          printed("")))
          .devices.at(0);
  EXPECT_EQ(sickness(device), "health [GPU requires reset]");
}

TEST(NvidiaSmi, ANameWithCommas) {
  const Device device =
      discover({}, nvidia(printed(gpus), printed("gpu_uuid, pid, used_gpu_memory [MiB], process_name\n"
                                                 "GPU-22bb, [N/A], 70320, worker, rank 0, of 8\n")))
          .devices.at(1);
  EXPECT_EQ(occupation(device), "in use by a process worker, rank 0, of 8 (70320 MiB)");
}

TEST(NvidiaSmi, ADeadDriver) {
  const Attached seen = discover(
      {},
      nvidia(printed("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", 9)));
  ASSERT_EQ(seen.faults.size(), 1U);
  EXPECT_THAT(seen.faults[0].text.english(), HasSubstr("nvidia-smi ended with 9: NVIDIA-SMI has failed"));
}

TEST(NvidiaSmi, CutOutput) {
  EXPECT_THAT(discover({}, nvidia(printed(std::string(gpus).substr(0, 220)))).faults.at(0).text,
              HasSubstr("under 10 columns"));
  EXPECT_THAT(discover({{"nvidia", 2}}, nvidia(printed(""))).faults.at(0).text, HasSubstr("lists no device"));
  EXPECT_EQ(discover({}, nvidia(printed(gpus), hung())).faults.at(0).text,
            "nvidia-smi: no answer within 15s");
}

constexpr const char* old_release = R"json({
  "card0": {"GPU use (%)": "37", "VRAM Total Memory (B)": "25753026560", "VRAM Total Used Memory (B)": "1048576",
            "Temperature (Sensor edge) (C)": "45.0", "Average Graphics Package Power (W)": "60.0",
            "Card series": "Radeon RX 7900 XTX", "PCI Bus": "0000:C1:00.0"},
  "system": {"Driver version": "6.2.4"}})json";
constexpr const char* new_release = R"json({
  "card10": {"Card Series": "AMD Instinct MI300X", "Current Socket Graphics Package Power (W)": "141.0"},
  "card2": {"Card Series": "AMD Instinct MI300X OAM", "Temperature (Sensor junction) (C)": "N/A"}})json";
constexpr const char* amd_metric = R"json([{"gpu": 0,
  "usage": {"gfx_activity": {"value": 12, "unit": "%"}},
  "mem_usage": {"total_vram": {"value": 196592, "unit": "MB"}, "used_vram": {"value": 283, "unit": "MB"}},
  "power": {"socket_power": "N/A"}}])json";
constexpr const char* amd_static = R"json([{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X"},
  "bus": {"bdf": "0000:05:00.0"}}])json";

Attached rocm(ToolAnswer answer) { return discover({}, FakeTools().says("rocm-smi", std::move(answer))); }

TEST(RocmSmi, KeysOfOldAndNewReleases) {
  const Device old = rocm(printed(old_release)).devices.at(0);
  EXPECT_EQ(platform_of(old), "amd-rx-7900-xtx");
  EXPECT_EQ(old.utilization, 37);
  EXPECT_EQ(old.memory_used, 1);
  EXPECT_EQ(old.power, 60);
  EXPECT_EQ(old.temperature, 45);
  EXPECT_EQ(old.bus, "0000:c1:00.0");
  const Attached two = rocm(printed(new_release));
  ASSERT_EQ(two.devices.size(), 2U);
  EXPECT_EQ(two.devices[0].index, 2);
  EXPECT_EQ(two.devices[0].temperature, std::nullopt);
  EXPECT_EQ(two.devices[1].power, 141);
  EXPECT_EQ(platform_of(two.devices[0]), "amd-mi300x");
  EXPECT_EQ(platform_of(two.devices[1]), "amd-mi300x");
}

TEST(RocmSmi, NothingPrintedIsNoDevice) {
  const Attached seen = rocm(printed("", 0, "ERROR:root:Driver not initialized\n"));
  EXPECT_THAT(seen.devices, IsEmpty());
  EXPECT_THAT(seen.faults, IsEmpty());
  EXPECT_THAT(rocm(printed("WARNING: {")).faults.at(0).text, HasSubstr("rocm-smi printed no JSON"));
  EXPECT_THAT(rocm(printed("[[[]]]")).devices, IsEmpty());
}

TEST(AmdSmi, IsAskedWhereTheOlderToolIsNotThere) {
  const FakeTools tools =
      FakeTools().says("amd-smi metric", printed(amd_metric)).says("amd-smi static", printed(amd_static));
  const Device device = discover({{"amd", 1}}, tools).devices.at(0);
  EXPECT_EQ(platform_of(device), "amd-mi300x");
  EXPECT_EQ(device.utilization, 12);
  EXPECT_EQ(device.memory_used, 283);
  EXPECT_EQ(device.memory_total, 196592);
  EXPECT_EQ(device.power, std::nullopt);
}

TEST(Platform, IsTheModelWithoutHowTheCardIsBuilt) {
  const auto nvidia_named = [](const std::string& model) {
    Device device;
    device.vendor = "nvidia";
    device.model = model;
    return platform_of(device);
  };
  EXPECT_EQ(nvidia_named("NVIDIA A100-SXM4-80GB"), "nvidia-a100");
  EXPECT_EQ(nvidia_named("Tesla V100-SXM2-32GB"), "nvidia-v100");
  EXPECT_EQ(nvidia_named("NVIDIA H100 PCIe"), "nvidia-h100");
  EXPECT_EQ(nvidia_named("NVIDIA GeForce RTX 4090"), "nvidia-rtx-4090");
  EXPECT_EQ(nvidia_named("NVIDIA RTX 6000 Ada Generation"), "nvidia-rtx-6000-ada");
  EXPECT_EQ(nvidia_named("../../etc"), "nvidia-..-..-etc");
}

TEST(Visible, AListLeavesWhatItNames) {
  const std::vector<Device> all = discover({}, nvidia(printed(gpus))).devices;
  const auto left = [&](const std::string& list) {
    std::vector<int> indices;
    for (const Device& device : visible(all, list)) indices.push_back(device.index);
    return indices;
  };
  EXPECT_THAT(left("1"), ElementsAre(1));
  EXPECT_THAT(left("1,0"), ElementsAre(1, 0));
  EXPECT_THAT(left("GPU-22"), ElementsAre(1));
  EXPECT_THAT(left("0,-1,1"), ElementsAre(0));
  EXPECT_THAT(left(""), IsEmpty());
}

TEST(Idle, AnIdleDeviceHoldsSomeMemory) {
  Device device;
  device.vendor = "ascend";
  device.memory_total = 65536;
  device.memory_used = 3405;
  EXPECT_EQ(occupation(device), std::nullopt);
  device.memory_used = 6000;
  EXPECT_EQ(occupation(device), "6000 MiB of 65536 MiB in use, by no process that its tool lists");
  device.users.push_back({71, "x\x1b[2J", std::nullopt});
  EXPECT_EQ(occupation(device)->english().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace gate::devices::gpu_tools_test
