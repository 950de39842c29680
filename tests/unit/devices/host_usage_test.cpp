#include "gate/devices/host_usage.h"

#include <gtest/gtest.h>

#include <string>

namespace gate::devices::host_usage_test {
namespace {

constexpr const char* said =
    "==> /proc/stat <==\n"
    "cpu  100 20 30 800 40 1 2 7 50 5\n"
    "cpu0 50 10 15 400 20 0 1 3 25 2\n"
    "\n"
    "==> /proc/meminfo <==\n"
    "MemTotal:       4096 kB\n"
    "MemFree:        1000 kB\n"
    "MemAvailable:   1024 kB\n";

TEST(HostUsageText, TellsTicksAndMemory) {
  const std::optional<HostUsage> usage = parse_host_usage(said);
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->busy, 160);  // without idle and waiting, and guests are users
  EXPECT_EQ(usage->all, 1000);
  EXPECT_EQ(usage->memory_used, 3.0);
  EXPECT_EQ(usage->power, std::nullopt);
}

TEST(HostUsageText, ThatIsNoneTellsNothing) {
  for (const char* text : {"", "cpu", "cpu 1 2 3 4", "cpu 1 2 3 x 5", "cpu -1 2 3 4 5", "cpu0 1 2 3 4 5 6",
                           "head: cannot open /proc/stat\n"})
    EXPECT_EQ(parse_host_usage(text), std::nullopt) << text;
}

TEST(HostUsageText, MayLackTheMemory) {
  const std::string cpu = "cpu 1 2 3 4 5\n";
  for (const char* rest :
       {"", "MemTotal: 10 kB\n", "MemTotal: 10 kB\nMemAvailable: 11 kB\n",
        "MemTotal: 10 MB\nMemAvailable: 1 MB\n", "MemTotal: 10 kB\nMemAvailable: many kB\n"}) {
    const std::optional<HostUsage> usage = parse_host_usage(cpu + rest);
    ASSERT_TRUE(usage) << rest;
    EXPECT_EQ(usage->memory_used, std::nullopt) << rest;
  }
}

TEST(BusyPercent, IsThatOfTheTimeBetween) {
  const HostUsage before{.busy = 100, .all = 1000};
  EXPECT_EQ(busy_percent(before, {.busy = 130, .all = 1200}), 15);
  EXPECT_EQ(busy_percent(before, before), std::nullopt);
  EXPECT_EQ(busy_percent(before, {.busy = 90, .all = 1200}), std::nullopt);   // started anew
  EXPECT_EQ(busy_percent(before, {.busy = 900, .all = 1200}), std::nullopt);  // no such clock
}

TEST(PowerMeterText, TellsWatts) {
  constexpr const char* text =
      "\n    Instantaneous power reading:                   220 Watts\n"
      "    Minimum during sampling period:                 18 Watts\n";
  EXPECT_EQ(parse_power_meter(text), 220);
  for (const char* other : {"", "Instantaneous power reading: 220", "Instantaneous power reading: many Watts",
                            "Could not open device at /dev/ipmi0"})
    EXPECT_EQ(parse_power_meter(other), std::nullopt) << other;
}

}  // namespace
}  // namespace gate::devices::host_usage_test
