#include "golden.h"

namespace gate::schema::golden_flagscale_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(GoldenFlagScale, TakesPositionsAsSteps) {
  const Baseline baseline =
      golden(R"({"lm loss:": {"values": [11.92433, 11.8, null], "rtol": 1e-05, "atol": 0}})");
  EXPECT_EQ(baseline.origin, "flagscale");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step?: 1=11.92433 2=11.8 unrecorded 3"));
  EXPECT_THAT(baseline.notes,
              ElementsAre("lm loss: rtol 1e-05 stands in the file; gate's own rules do not use it",
                          "lm loss: atol 0 stands in the file; gate's own rules do not use it",
                          "lm loss: 1 value not recorded (nan or null), left out: step 3",
                          "lm loss: no step numbers in the file, taken as steps 1-3"));
}

constexpr const char* benchmark = R"({"ascend": {"unit-910c": {
    "elapsed time per iteration (ms):": {"values": [2647.1, 1544.2],
      "threshold": {"type": "upper_bound", "tolerance": 0.10}},
    "throughput per GPU (TFLOP/s/GPU):": {"values": [0.4, 0.6],
      "threshold": {"type": "lower_bound", "tolerance": 0.2, "aggregation": "harmonic_mean"}}}}})";

TEST(GoldenFlagScale, ReadsBenchmarks) {
  const Baseline baseline = golden(benchmark);
  EXPECT_EQ(baseline.origin, "flagscale");
  EXPECT_EQ(baseline.platform, "");
  EXPECT_THAT(shown(baseline), ElementsAre("iteration_time [ms] step?: 1=2647.1 2=1544.2",
                                           "throughput [TFLOP/s/device] step?: 1=0.4 2=0.6"));
  EXPECT_THAT(baseline.margins, ElementsAre(Pair("iteration_time", "0.10"), Pair("throughput", "0.2")));
  EXPECT_THAT(baseline.notes,
              testing::IsSupersetOf({"the values are of ascend, device unit-910c",
                                     "elapsed time per iteration (ms): threshold upper_bound 0.10 stands in "
                                     "the file; gate's own rules do not use it"}));
}

TEST(GoldenFlagScale, KeepsNoMarginOfTheGoodSide) {
  const auto margins = [](const std::string& key, const std::string& type) {
    return golden("{\"" + key + "\": {\"values\": [1], \"threshold\": {\"type\": \"" + type +
                  "\", \"tolerance\": 1}}}")
        .margins;
  };
  EXPECT_THAT(margins("elapsed time per iteration (ms):", "lower_bound"), IsEmpty());
  EXPECT_THAT(margins("throughput per GPU (TFLOP/s/GPU):", "upper_bound"), IsEmpty());
  EXPECT_THAT(margins("lm loss:", "upper_bound"), IsEmpty());
  EXPECT_THAT(margins("elapsed time per iteration (ms):", "around"), IsEmpty());
}

TEST(GoldenFlagScale, RefusesSeveralDevices) {
  const std::string series = R"({"lm loss:": {"values": [1]}})";
  EXPECT_EQ(
      golden_error("{\"ascend\": {\"unit-910b\": " + series + ", \"unit-910c\": " + series + "}}"),
      "g.json:1:12: holds values of several devices (unit-910b, unit-910c); keep those of one, the one to "
      "compare with");
  EXPECT_EQ(golden_error("{\"ascend\": {\"a\": " + series + "}, \"musa\": {\"b\": " + series + "}}"),
            "g.json:1:1: holds values of several vendors (ascend, musa); keep those of one, the one to "
            "compare with");
}

TEST(GoldenFlagScale, RefusesWrongTypes) {
  EXPECT_EQ(golden_error(R"({"lm loss:": {"values": {}}})"),
            "g.json:1:25: \"values\" must be a list, not an object");
  EXPECT_EQ(golden_error(R"({"lm loss:": {"values": [[]]}})"),
            "g.json:1:26: a value must be a number or a text like \"nan\", not a list");
  EXPECT_EQ(golden_error(R"({"a:": {"values": [1], "threshold": 0.1}})"),
            "g.json:1:37: \"threshold\" must be an object, not a number");
  EXPECT_EQ(golden_error(R"({"a:": {"values": [1], "threshold": {"type": 1, "tolerance": "x"}}})"),
            "g.json:1:46: \"type\" must be a text, not a number\n"
            "g.json:1:62: \"tolerance\" must be a number, not a text");
}

}  // namespace
}  // namespace gate::schema::golden_flagscale_test
