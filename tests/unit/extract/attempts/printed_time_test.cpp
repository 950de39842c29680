#include "extract/attempts/printed_time.h"

#include <gtest/gtest.h>

#include <string>

namespace gate::extract::printed_time_test {
namespace {

constexpr std::int64_t second = 1'000'000;

TEST(PrintedTime, isReadHoweverItIsWritten) {
  const auto at = printed_time(" [2025-03-26 14:43:37.001748] iteration 1/2 |");
  ASSERT_TRUE(at);
  EXPECT_EQ(*at % second, 1748);
  EXPECT_EQ(printed_time("0: [default0]: [2025-03-26 14:43:37] iteration"), *at - 1748);
  EXPECT_EQ(printed_time("[rank0]:2025-03-26T14:43:37,001748 - root"), *at);
  EXPECT_EQ(printed_time("2025/03/26 14:43:38 - INFO"), *at - 1748 + second);
  EXPECT_EQ(printed_time("run-2025 x-y 2025-03-26 14:43:37 -"), *at - 1748);
  EXPECT_EQ(*printed_time("1970-01-02 00:00:00"), 86400 * second);
}

TEST(PrintedTime, isNoneWhereThereIsNoDate) {
  EXPECT_FALSE(printed_time(""));
  EXPECT_FALSE(printed_time(" iteration 1/ 2 | lm loss: 2.5E-01 |"));
  EXPECT_FALSE(printed_time("2025-13-26 14:43:37"));
  EXPECT_FALSE(printed_time("2025-02-30 14:43:37"));
  EXPECT_FALSE(printed_time("2025-03-26 24:43:37"));
  EXPECT_FALSE(printed_time("2025-03-26 14:43:3"));
  EXPECT_FALSE(printed_time(std::string(longest_time_head - 10, ' ') + "2025-03-26 14:43:37"));
}

TEST(PrintedTime, ofALastLineIsAskedForLate) {
  TimeHead head;
  EXPECT_FALSE(printed_extent(5, head));
  head = "1970-01-01 00:00:02 iteration";
  EXPECT_EQ(printed_extent(second, head)->last, 2 * second);
  EXPECT_FALSE(printed_extent(3 * second, head));
  EXPECT_FALSE(printed_extent(std::nullopt, head));
}

}  // namespace
}  // namespace gate::extract::printed_time_test
