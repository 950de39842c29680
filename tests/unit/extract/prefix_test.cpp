#include "extract/scan/prefix.h"

#include <gtest/gtest.h>

namespace gate::extract::prefix_test {
namespace {

struct Case {
  std::string line;
  std::string source;
  std::string outer;
  std::string payload;  // what the outermost launcher was given
};

class Prefixes : public testing::TestWithParam<Case> {};

TEST_P(Prefixes, are_known) {
  const Prefix prefix = parse_prefix(GetParam().line);
  EXPECT_EQ(prefix.source, GetParam().source);
  EXPECT_EQ(prefix.outer, GetParam().outer);
  EXPECT_EQ(GetParam().line.substr(prefix.payload), GetParam().payload);
}

INSTANTIATE_TEST_SUITE_P(
    Launchers, Prefixes,
    testing::Values(Case{" iteration 1/ 2 |", "", "", " iteration 1/ 2 |"},
                    Case{"0: [default0]: iteration", "0: [default0]", "0:", "[default0]: iteration"},
                    Case{"[default7]:text", "[default7]", "[default7]:", "text"},
                    Case{"31:  [2025-01-01 00:00:00] iteration", "31",
                         "31:", " [2025-01-01 00:00:00] iteration"},
                    Case{" 0: [Rank 0] (after", "0", "0:", "[Rank 0] (after"},
                    Case{"192.168.205.202:  iteration", "192.168.205.202", "192.168.205.202:", " iteration"},
                    Case{"(TaskRunner pid=1) step", "(TaskRunner pid=1)", "(TaskRunner pid=1)", "step"},
                    Case{"[1,0]<stdout>:step", "[1,0]<stdout>", "[1,0]<stdout>:", "step"},
                    Case{"[2025-01-01 00:00:00] x", "", "", "[2025-01-01 00:00:00] x"},
                    Case{"0:", "0", "0:", ""}, Case{"12:30:01 x", "", "", "12:30:01 x"},
                    Case{"", "", "", ""}));

TEST(Ranks, stand_in_the_innermost_prefix) {
  EXPECT_EQ(rank_of_prefix("0: [rank3]"), 3);
  EXPECT_EQ(rank_of_prefix("[default7]"), 7);
  EXPECT_EQ(rank_of_prefix("31"), 31);
  EXPECT_EQ(rank_of_prefix("192.168.205.202"), std::nullopt);
  EXPECT_EQ(rank_of_prefix("node-3"), std::nullopt);
  EXPECT_EQ(rank_of_prefix(""), std::nullopt);
}

TEST(Ranks, are_put_in_place_of_others) {
  EXPECT_EQ(with_rank("0: [rank3]", 1), "0: [rank1]");
  EXPECT_EQ(with_rank("node-3", 1), "node-3 [rank1]");
  EXPECT_EQ(with_rank("", 1), "[rank1]");
}

TEST(Prefix, stands_behind_the_time_of_a_collector) {
  for (const std::string time :
       {"2025-06-02T07:00:01.123456789Z stdout F ", "2025-06-02T07:00:01.123Z ", "[2025-06-02 07:00:01] ",
        "2025-06-02 07:00:01,123 ", " [2025-06-02T07:00:01+00:00] "}) {
    const std::string line = time + "0: [default3]: step 1";
    const Prefix prefix = parse_prefix(line);
    EXPECT_EQ(prefix.source, "0: [default3]") << line;
    EXPECT_EQ(prefix.outer, "0:") << line;
    EXPECT_EQ(line.substr(prefix.payload), "[default3]: step 1") << line;
    EXPECT_EQ(line.substr(prefix.end), " step 1") << line;
    EXPECT_EQ(parse_prefix(time + "[rank1]: step 1").source, "[rank1]");
    EXPECT_EQ(parse_prefix(time + "INFO: step 1").source, "");
    EXPECT_EQ(parse_prefix(time + "INFO: step 1").end, time.size());
    EXPECT_EQ(parse_prefix(time + "INFO: step 1").payload, 0U);
  }
  EXPECT_EQ(parse_prefix("2025-06-02 step 1").end, 0U);
  EXPECT_EQ(parse_prefix("[2025-06-02 07:00:01").end, 0U);
  EXPECT_EQ(parse_prefix("2025-06-02").end, 0U);
}

TEST(Prefix, is_not_the_name_of_a_progress_bar) {
  EXPECT_EQ(parse_prefix("Train:   3%|3  | 1/30 [00:07<03:43]").source, "");
  EXPECT_EQ(parse_prefix("0: Train:   3%|3  | 1/30 [00:07<03:43]").source, "0");
  EXPECT_EQ(parse_prefix("host: 3 of 4").source, "host");
}

TEST(Escapes, are_taken_out) {
  std::string scratch;
  EXPECT_EQ(strip_escapes("\x1b[31mstep: 1\x1b[38;2;180;60;0m loss\x1b[0m", scratch), "step: 1 loss");
  EXPECT_EQ(strip_escapes("\x1b]0;title\atext", scratch), "text");
  EXPECT_EQ(strip_escapes("cut off \x1b[3", scratch), "cut off ");
  EXPECT_EQ(strip_escapes("cut off \x1b", scratch), "cut off ");
  EXPECT_EQ(strip_escapes("plain", scratch), "plain");
}

}  // namespace
}  // namespace gate::extract::prefix_test
