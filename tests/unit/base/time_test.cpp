#include "gate/base/time.h"

#include <gtest/gtest.h>

namespace gate::time_test {
namespace {

using namespace std::chrono_literals;

TEST(Time, ReadsDurationsAsPeopleWriteThem) {
  EXPECT_EQ(parse_duration("90s"), 90s);
  EXPECT_EQ(parse_duration("1h30m"), 90min);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("1.5h"), 90min);
  EXPECT_EQ(parse_duration("1d"), 24h);
  EXPECT_EQ(parse_duration("0s"), 0s);
}

TEST(Time, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "30", "-5s", "5x", "5s5m", "5m5m", "s", "1e400h", "nan s", "99999d", "5 s"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Time, WrittenDurationsAreReadBack) {
  for (const Duration duration :
       {Duration(0), Duration(250ms), Duration(90s), Duration(2h), Duration(25h + 1ms)})
    EXPECT_EQ(parse_duration(to_string(duration)), duration) << to_string(duration);
  EXPECT_EQ(to_string(Duration(90min)), "1h30m");
}

TEST(Time, RoughKeepsTwoUnits) {
  EXPECT_EQ(rough(850ms), "850ms");
  EXPECT_EQ(rough(7300ms), "7.3s");
  EXPECT_EQ(rough(112min), "1h52m");
  EXPECT_EQ(rough(15min), "15m");
  EXPECT_EQ(rough(15min + 7s), "15m07s");
  EXPECT_EQ(rough(59min + 59s + 600ms), "1h");
}

TEST(Time, IsoIsReadBack) {
  const Moment moment{std::chrono::seconds(1795228984)};
  EXPECT_EQ(parse_iso(to_iso(moment)), moment);
  EXPECT_EQ(to_iso(Moment{}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(parse_iso("2026-11-21"), std::nullopt);
  EXPECT_EQ(parse_iso("3795-11-22T19:44:41Z"), std::nullopt);
  EXPECT_EQ(parse_iso("2026-11-21T02:03: 4Z"), std::nullopt);
  EXPECT_EQ(parse_iso(std::string_view("2026-11-21T02:03:04Z\0x", 22)), std::nullopt);
}

TEST(DaysBetween, CountsDatesOfTheCalendar) {
  EXPECT_EQ(days_between("2026-02-27", "2026-03-01"), 2);
  EXPECT_EQ(days_between("2028-02-27", "2028-03-01"), 3);
  EXPECT_EQ(days_between("2026-03-01", "2026-02-27"), -2);
  EXPECT_EQ(days_between("2026-03-01", "9999-12-31"), std::nullopt);
  EXPECT_EQ(days_between("", "2026-03-01"), std::nullopt);
  EXPECT_EQ(days_between("2026-02-30", "2026-03-01"), std::nullopt);
}

}  // namespace
}  // namespace gate::time_test
