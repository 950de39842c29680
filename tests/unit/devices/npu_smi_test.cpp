#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_tools.h"
#include "gate/devices/discover.h"

namespace gate::devices::npu_smi_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* a2 = R"(
+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.rc3                 Version: 24.1.rc3                                             |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 5     910B3               | OK            | 93.4        41                0    / 0             |
| 0                         | 0000:C1:00.0  | 0           0    / 0          3291 / 65536         |
+===========================+===============+====================================================+
| 12    910B3               | Alarm         | 210.7       61                15   / 15            |
| 0                         | 0000:01:00.0  | 97          0    / 0          61877/ 65536         |
+===========================+===============+====================================================+
+---------------------------+---------------+----------------------------------------------------+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| No running processes found in NPU 5                                                            |
+===========================+===============+====================================================+
| 12      0                 | 41877         | python3                  | 58412                   |
| 12      0                 | 41990         | torchrun                 | 101                     |
+===========================+===============+====================================================+
)";

constexpr const char* a3 = R"(
+------------------------------------------------------------------------------------------------+
| npu-smi 24.1.rc3.7               Version: 24.1.rc3.7                                           |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     Ascend910           | OK            | 171.2       35                0    / 0             |
| 0     0                   | 0000:9D:00.0  | 0           0    / 0          3377 / 65536         |
+------------------------------------------------------------------------------------------------+
| 0     Ascend910           | OK            | -           36                0    / 0             |
| 1     1                   | 0000:9F:00.0  | 3           0    / 0          3150 / 65536         |
+===========================+===============+====================================================+
| NPU     Chip | Process id | Process name | Process memory(MB) | Process id in container |
+===========================+===============+====================================================+
| 0       1    | 977        | python       | 2811               | 14                      |
+===========================+===============+====================================================+
)";

constexpr const char* inference = R"(
+-------------------+-----------------+------------------------------------------------------+
| npu-smi 22.0.0                       Version:22.0.2                                        |
+-------------------+-----------------+------------------------------------------------------+
| NPU     Name      | Health          | Power(W)     Temp(C)           Hugepages-Usage(page) |
| Chip    Device    | Bus-Id          | AICore(%)    Memory-Usage(MB)                        |
+===================+=================+======================================================+
| 0       310P3     | OK              | NA           44                0     / 0             |
| 0       0         | 0000:86:00.0    | 0            1012 / 21534                            |
+===================+=================+======================================================+
)";

Attached attached(ToolAnswer answer, std::map<std::string, int> nodes = {}) {
  return discover(nodes, FakeTools().says("npu-smi info", std::move(answer)));
}

TEST(NpuSmi, OneChipAnNpu) {
  const Attached seen = attached(printed(a2));
  ASSERT_EQ(seen.devices.size(), 2U);
  const Device& first = seen.devices[0];
  EXPECT_EQ(first.index, 0);  // as processes count them, whatever the NPU's own number is
  EXPECT_EQ(first.name, "NPU 5");
  EXPECT_EQ(first.model, "910B3");
  EXPECT_EQ(platform_of(first), "ascend-910b3");
  EXPECT_EQ(first.bus, "0000:c1:00.0");
  EXPECT_EQ(first.health, "OK");
  EXPECT_EQ(first.memory_used, 3291);
  EXPECT_EQ(first.memory_total, 65536);
  EXPECT_EQ(first.power, 93.4);
  EXPECT_EQ(first.temperature, 41);
  EXPECT_EQ(first.utilization, 0);
  EXPECT_EQ(first.clock, std::nullopt);
  EXPECT_THAT(first.users, IsEmpty());
}

TEST(NpuSmi, NoBlankBeforeTheSlash) {
  const Device second = attached(printed(a2)).devices.at(1);
  EXPECT_EQ(second.memory_used, 61877);
  EXPECT_EQ(second.utilization, 97);
  EXPECT_EQ(second.health, "Alarm");
  ASSERT_EQ(second.users.size(), 2U);
  EXPECT_EQ(second.users[0].pid, 41877);
  EXPECT_EQ(second.users[0].name, "python3");
  EXPECT_EQ(second.users[0].memory, 58412);
}

TEST(NpuSmi, TwoChipsAnNpu) {
  const Attached seen = attached(printed(a3));
  ASSERT_EQ(seen.devices.size(), 2U);
  EXPECT_EQ(seen.devices[1].name, "NPU 0 chip 1");
  EXPECT_EQ(seen.devices[1].index, 1);
  EXPECT_EQ(seen.devices[1].power, std::nullopt);  // unknown, not 0
  EXPECT_EQ(platform_of(seen.devices[1]), "ascend-910");
  EXPECT_THAT(seen.devices[0].users, IsEmpty());
  ASSERT_EQ(seen.devices[1].users.size(), 1U);
  EXPECT_EQ(seen.devices[1].users[0].pid, 977);
}

TEST(NpuSmi, WithoutHbm) {
  const Device device = attached(printed(inference)).devices.at(0);
  EXPECT_EQ(device.name, "NPU 0");
  EXPECT_EQ(device.memory_used, 1012);
  EXPECT_EQ(device.memory_total, 21534);
  EXPECT_EQ(device.power, std::nullopt);
  EXPECT_EQ(platform_of(device), "ascend-310p3");
}

TEST(NpuSmi, NothingPrintedIsNoDevice) {
  EXPECT_THAT(attached(printed("")).devices, IsEmpty());
  EXPECT_THAT(attached(printed("")).faults, IsEmpty());
  const Attached with_nodes = attached(printed("\n"), {{"ascend", 8}});
  ASSERT_EQ(with_nodes.faults.size(), 1U);
  EXPECT_EQ(with_nodes.faults[0].text, "8 ascend device nodes, and npu-smi lists no device");
}

TEST(NpuSmi, WhatIsNotUnderstoodIsAFault) {
  const std::string text = a2;
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    const Attached seen = attached(printed(text.substr(0, cut)), {{"ascend", 2}});
    for (const Device& device : seen.devices)
      EXPECT_TRUE(!device.memory_used || *device.memory_used == 3291 || *device.memory_used == 61877) << cut;
    if (seen.devices.empty()) {
      EXPECT_EQ(seen.faults.size(), 1U) << cut;
    }
  }
  EXPECT_THAT(attached(printed("dcmi module initialize failed. ret is -8005\n")).faults.at(0).text,
              HasSubstr("no table of devices"));
}

TEST(NpuSmi, AFailureIsToldInItsOwnWords) {
  const Attached seen =
      attached(printed("", 255, "\ndcmi model initialized failed, because the device is used.\n"));
  EXPECT_EQ(seen.faults.at(0).text,
            "npu-smi ended with 255: dcmi model initialized failed, because the device is used.");
  EXPECT_EQ(attached(hung()).faults.at(0).text, "npu-smi: no answer within 15s");
}

TEST(NpuSmi, NodesWithoutTheToolAreAFault) {
  const Attached seen = discover({{"ascend", 8}}, FakeTools());
  EXPECT_EQ(seen.faults.at(0).text, "8 ascend device nodes, and no npu-smi on PATH to ask");
  EXPECT_EQ(discover({{"amd", 1}}, FakeTools()).faults.at(0).text,
            "1 amd device node, and no rocm-smi or amd-smi on PATH to ask");
  EXPECT_THAT(discover({}, FakeTools()).faults, IsEmpty());
}

}  // namespace
}  // namespace gate::devices::npu_smi_test
