#include "golden.h"

namespace gate::schema::golden_bridge_test {
namespace {

using testing::ElementsAre;

constexpr const char* counting =
    "the file counts steps from 0; its \"0\" is taken as step 1, as the log counts";

TEST(GoldenBridge, CountsStepsAsTheLogDoes) {
  const Baseline baseline = golden(R"J({
    "0": {"lm loss": 11.89415, "elapsed time per iteration (ms)": 53048.6, "GPU utilization": 1.8},
    "2": {"lm loss": 6.210149, "elapsed time per iteration (ms)": 233.1, "GPU utilization": 417.4},
    "1": {"lm loss": 11.89995, "elapsed time per iteration (ms)": "nan"},
    "alloc": 81.904, "max_alloc": 93.2})J");
  EXPECT_EQ(baseline.origin, "megatron-bridge");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step: 1=11.89415 2=11.89995 3=6.210149",
                                           "iteration_time [ms] step: 1=53048.6 3=233.1 unrecorded 2",
                                           "throughput [TFLOP/s/device] step: 1=1.8 3=417.4",
                                           "memory_allocated [MiB] report: 1=81.904(78109.7412109375)",
                                           "memory_max_allocated [MiB] report: 1=93.2(88882.4462890625)"));
  EXPECT_THAT(
      baseline.notes,
      ElementsAre(counting,
                  "elapsed time per iteration (ms): 1 value not recorded (nan or null), left out: step 2"));
}

TEST(GoldenBridge, MemoryThatWasNotMeasuredIsNone) {
  const Baseline baseline = golden(R"({"0": {"lm loss": 1}, "alloc": null, "max_alloc": null})");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step: 1=1"));
  EXPECT_EQ(baseline.null_value, "");
}

TEST(GoldenBridge, NotesWhatItDoesNotKnow) {
  EXPECT_THAT(golden(R"({"0": {"lm loss": 1}, "x": 1, "y": {}})").notes,
              ElementsAre(counting, "keys \"x\", \"y\" are unknown and not used"));
}

TEST(GoldenBridge, RefusesWrongTypes) {
  EXPECT_EQ(golden_error(R"({"0": {"lm loss": [1]}})"),
            "g.json:1:19: a value must be a number or a text like \"nan\", not a list");
  EXPECT_EQ(golden_error(R"({"-1": {"lm loss": 1}})"),
            "g.json:1:2: \"-1\" is no step: a whole number is expected");
  EXPECT_EQ(golden_error(R"({"0": {"lm loss": 1},
"00": {"lm loss": 2}})"),
            "g.json:2:1: step 1 a second time; remove one of them");
}

}  // namespace
}  // namespace gate::schema::golden_bridge_test
