#include "gate/judge/watch.h"

#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::watch_test {
namespace {

Watch watching(std::vector<Rule> rules, const std::string& reference, const std::string& platform = "") {
  return Watch(rules, MetricTable(), baseline(reference), platform);
}

// Return `STEP: REASON` of the first certain failure, or "".
std::string seen(Watch& watch, const std::string& log) {
  const Series all = series(log);
  for (const Sample& one : all.samples())
    if (const auto certain = watch.on_sample(all.metric(), all.rank(), one))
      return std::to_string(one.number) + ": " + certain->reason;
  return "";
}

std::string seen(const Rule& rule, const std::string& reference, const std::string& log) {
  Watch watch = watching({rule}, reference);
  return seen(watch, log);
}

TEST(Watch, AStepOutOfBounds) {
  EXPECT_EQ(seen(rule("lm_loss", "±0.01"), flat("lm_loss", 1, 9, "10.50"),
                 "lm_loss 1:10.51 2:10.49 3:10.97 4:9.00"),
            "3: lm_loss step 3, |d| = 0.47 > 0.01");
  EXPECT_EQ(seen(rule("lm_loss", "±2%"), "lm_loss 1:10.50", "lm_loss 1:10.711"),
            "1: lm_loss step 1, |d| = 0.211 > 0.21");
  EXPECT_EQ(seen(rule("lm_loss", "±0.01", "first 2"), flat("lm_loss", 1, 9, "10.50"),
                 "lm_loss 1:10.50 2:10.50 3:99.00"),
            "")
      << "outside of the window";
}

TEST(Watch, AllowedMissesMustBeUsedUp) {
  Rule two = rule("lm_loss", "±0.01");
  two.max_misses = 2;
  EXPECT_EQ(seen(two, flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:2.00 2:2.00 3:1.00 4:1.00"), "");
  EXPECT_EQ(seen(two, flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:2.00 2:2.00 3:1.00 4:3.00"),
            "4: lm_loss step 4, |d| = 2.00 > 0.01");
}

TEST(Watch, AValueThatIsNoNumber) {
  const Rule first = rule("lm_loss", "±0.01", "first 1");
  EXPECT_EQ(seen(first, flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:1.00 2:nan"), "2: lm_loss step 2: nan");
  EXPECT_EQ(seen(first, flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:1.00 2:-"), "2: lm_loss step 2: left out");
  EXPECT_EQ(seen(first, "lm_loss 1:1.00", "lm_loss 1:1.00 2:inf"), "2: lm_loss step 2: inf")
      << "beyond the baseline";
  EXPECT_EQ(seen(first, "lm_loss 1:1.00", "grad_norm 1:nan"), "") << "no rule";
}

TEST(Watch, AStepPassedOver) {
  const Rule any = rule("lm_loss", "±0.01");
  EXPECT_EQ(seen(any, flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:1.00 2:1.00 4:1.00"),
            "4: lm_loss step 3 passed over");
  EXPECT_EQ(seen(any, flat("lm_loss", 1, 9, "1.00"), "lm_loss 2:1.00"), "2: lm_loss step 1 passed over");
  EXPECT_EQ(seen(any, "lm_loss 10:1.00 20:1.00", "lm_loss 10:1.00 15:9.00 20:1.00"), "");
}

TEST(Watch, ARepeatedStepIsNone) {
  Watch watch = watching({rule("lm_loss", "±0.01")}, flat("lm_loss", 1, 9, "1.00"));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(1, "1.00")));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(1, "1.00")));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(2, "1.00")));
}

TEST(Watch, MemoryOnAnyRank) {
  Watch watch =
      watching(built_in_rules(), "memory_allocated/0 1:100.0 2:100.0\nmemory_allocated/5 1:100.0 2:100.0");
  EXPECT_EQ(seen(watch, "memory_allocated/0 1:110.0 2:20.0"), "");
  EXPECT_EQ(seen(watch, "memory_allocated/5 1:110.1"), "1: memory_allocated rank 5 report 1, 110.1 > 110.0");
}

TEST(Watch, ARankThatTheBaselineLacksFailsOnNaNOnly) {
  Watch watch = watching(built_in_rules(), "memory_allocated/0 1:100.0");
  EXPECT_EQ(seen(watch, "memory_allocated/1 1:900.0"), "");
  EXPECT_EQ(seen(watch, "memory_allocated/1 2:nan"), "2: memory_allocated rank 1 report 2: nan");
}

TEST(Watch, AMeanThatCannotComeBack) {
  const Rule mean = rule("iteration_time", "+5%", "last 4", "mean");
  const std::string reference = flat("iteration_time", 1, 5, "100.0");
  EXPECT_EQ(seen(mean, reference, "iteration_time 1:9000.0 2:200.0 3:220.0"), "") << "420.0 of 420.0";
  EXPECT_EQ(seen(mean, reference, "iteration_time 1:9000.0 2:200.0 3:220.1"),
            "3: iteration_time: its mean cannot come back into 105.0");
  Reference of_end = baseline(reference);
  of_end.series.front().runs.front().set_of_last_steps(true);
  const std::vector<Rule> rules{mean};
  Watch watch(rules, MetricTable(), of_end, "");
  EXPECT_EQ(seen(watch, "iteration_time 1:9000.0 2:200.0 3:220.1"), "")
      << "a longer run has other last steps";
  Rule floor = rule("throughput", "-5%", "last 4", "mean");
  const std::string speed = flat("throughput", 1, 5, "100.0");
  EXPECT_EQ(seen(floor, speed, "throughput 1:1.0 2:1.0 3:1.0 4:1.0"), "") << "no cap is declared";
  floor.cap = Decimal::parse("120");
  EXPECT_EQ(seen(floor, speed, "throughput 1:1.0 2:70.0 3:70.0"), "") << "140 + 2 x 120 = 4 x 95";
  EXPECT_EQ(seen(floor, speed, "throughput 1:1.0 2:70.0 3:69.9"),
            "3: throughput: its mean cannot come back into 95.0");
}

TEST(Watch, AMeanOfWhatMayBeNegativeIsNeverCertain) {
  EXPECT_EQ(seen(rule("lm_loss", "+5%", "last 4", "mean"), flat("lm_loss", 1, 5, "100.0"),
                 "lm_loss 1:1.0 2:9000.0"),
            "");
}

TEST(Watch, MaximaAndMinima) {
  EXPECT_EQ(seen(rule("iteration_time", "+5%", "all", "max"), flat("iteration_time", 1, 5, "100.0"),
                 "iteration_time 1:105.1"),
            "1: iteration_time: its max cannot come back into 105.0");
  EXPECT_EQ(
      seen(rule("throughput", "-5%", "all", "min"), flat("throughput", 1, 5, "100.0"), "throughput 1:94.9"),
      "1: throughput: its min cannot come back into 95.0");
  EXPECT_EQ(
      seen(rule("throughput", "-5%", "all", "max"), flat("throughput", 1, 5, "100.0"), "throughput 1:94.9"),
      "");
  EXPECT_EQ(
      seen(rule("throughput", "-5%", "all", "median"), flat("throughput", 1, 5, "100.0"), "throughput 1:1.0"),
      "");
}

TEST(Watch, WhatCouldTurnOutIncomparableIsNotCertain) {
  EXPECT_EQ(seen(rule("lm_loss", "±0.01"), flat("lm_loss", 1, 5, "1.0"), "lm_loss 1:9.0"), "")
      << "finer than the print";
  EXPECT_EQ(seen(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2:nan", "lm_loss 1:9.00"), "")
      << "a baseline with NaN";
}

TEST(Watch, Constants) {
  EXPECT_EQ(seen(rule("grad_norm", "<= 5"), "", "grad_norm 1:5 2:5.1"), "2: grad_norm step 2, 5.1 > 5");
  EXPECT_EQ(seen(rule("grad_norm", "< 5"), "", "grad_norm 1:4.9 2:5"), "2: grad_norm step 2, 5 not < 5");
  EXPECT_EQ(seen(rule("grad_norm", "!= 0"), "", "grad_norm 1:4.9 2:0"),
            "2: grad_norm step 2, 0 not < 0 or > 0");
  EXPECT_EQ(seen(rule("grad_norm", "<= 5", "first 1"), "", "grad_norm 1:5 2:5.1"), "");
  EXPECT_EQ(seen(rule("grad_norm", "<= 5", "last 3"), "", "grad_norm 1:5 2:5.1"), "");
  EXPECT_EQ(seen(rule("grad_norm", "<= 5", "all", "mean"), "", "grad_norm 1:5 2:5.1"), "");
  EXPECT_EQ(seen(rule("grad_norm", "== 0"), "", "grad_norm 1:0.0 2:0.1"), "2: grad_norm step 2, 0.1 > 0");
}

TEST(Watch, TheLastWordOfAPickIsAwaited) {
  MetricTable metrics;
  Metric loss = metrics.get("lm_loss");
  loss.pick = Pick::max;
  metrics.put(loss);
  const std::vector<Rule> rules{rule("lm_loss", "±0.01")};
  Watch watch(rules, metrics, baseline(flat("lm_loss", 1, 9, "1.00")), "");
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(1, "-1.00")));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(1, "1.00")));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(2, "-1.00")));
  EXPECT_TRUE(watch.on_sample("lm_loss", {}, sample(3, "1.00"))) << "step 2 stayed at -1";
}

TEST(Watch, TellsOnceAndForgetsWithANewAttempt) {
  Watch watch = watching({rule("lm_loss", "±0.01")}, flat("lm_loss", 1, 9, "1.00"));
  EXPECT_TRUE(watch.on_sample("lm_loss", {}, sample(1, "9.00")));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(2, "9.00")));
  watch.restart();
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(5, "1.00")))
      << "steps 1-4 may come from the attempt before";
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(6, "1.00")));
  EXPECT_TRUE(watch.on_sample("lm_loss", {}, sample(8, "1.00"))) << "step 7 passed over";
}

TEST(Watch, AStepThatStandsTooLateBeginsNoAttempt) {
  Watch watch = watching({rule("lm_loss", "±0.01")}, flat("lm_loss", 1, 9, "1.00"));
  for (const int number : {1, 2, 3}) EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(number, "1.00")));
  watch.restart();
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(4, "1.00")));
  EXPECT_FALSE(watch.on_sample("lm_loss", {}, sample(6, "1.00"))) << "step 5 may stand before step 4";
  EXPECT_TRUE(watch.on_sample("lm_loss", {}, sample(8, "1.00"))) << "step 7 passed over";
}

TEST(Watch, LeavesAloneWhatIsNotGated) {
  Watch other = watching(built_in_rules(), flat("lm_loss", 1, 3, "1.00"));
  EXPECT_EQ(seen(other, "throughput 1:0.0 2:nan"), "");
  Rule waived = rule("lm_loss", "±0.01");
  waived.waive = Waiver{"known", "2999-01-01"};
  EXPECT_EQ(seen(waived, flat("lm_loss", 1, 3, "1.00"), "lm_loss 1:9.00"), "");
}

}  // namespace
}  // namespace gate::judge::testing::watch_test
