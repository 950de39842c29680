#include "gate/render/explain.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::explain_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Explain, EachShowsFirstAndLargestWithTheirFormula) {
  EXPECT_EQ(explain(sample::failed_loss(), {"train.log:34:  iteration 2/ 30 | lm loss: 4.18E+00"},
                    sample::columns_80()),
            R"(fail lm_loss
  rule      lm_loss: each of first 15 (steps 1-15), tolerance ±0.01
  first     step 2: |4.180340 - 4.161230| = 0.019110 > 0.01
            train.log:34
  largest   step 9: |4.500000 - 3.900000| = 0.600000 > 0.01
            train.log:41
  compared  14 of 15 steps out of bounds
  delta     +0.6 (+15.4 %)
  limit     3.89..3.91
  margin    -0.59
  baseline  baselines/tinygpt/dp2.json
  log       train.log:34:  iteration 2/ 30 | lm loss: 4.18E+00
)");
}

TEST(Explain, ReducedShowsTheWindowAndTheBound) {
  EXPECT_EQ(explain(sample::speed(CheckStatus::fail, "127.40", "-6.77", -5.05), {}, sample::columns_80()),
            R"(fail throughput  in TFLOP/s/device
  rule      throughput: mean of last 10 (steps 6-15), tolerance -5%
  formula   mean of steps 6-15: 127.40 >= 134.17 - 5 % = 127.4615 is false
  compared  10 steps
  delta     -6.77 (-5.05 %)
  limit     127.4615
  margin    -0.0615
)");
}

TEST(Explain, ADerivedMetricShowsItsFormula) {
  Check check = sample::speed(CheckStatus::pass, "133.6", "-0.57", -0.42);
  check.formula = "a / 2";
  EXPECT_THAT(explain(check, {}, sample::columns_80()),
              HasSubstr("throughput  in TFLOP/s/device\n  derived   a / 2\n  rule      throughput: "));
}

TEST(Explain, PassShowsThatItHolds) {
  EXPECT_THAT(explain(sample::speed(CheckStatus::pass, "133.6", "-0.57", -0.42), {}, sample::columns_80()),
              HasSubstr("mean of steps 6-15: 133.6 >= 134.17 - 5 % = 127.4615 is true\n"));
}

TEST(Explain, WaivedFailureDoesNotHold) {
  const Check check = sample::speed(CheckStatus::waived, "127.40", "-6.77", -5.05);
  const std::string out = explain(check, {}, sample::columns_80());
  EXPECT_THAT(out, HasSubstr("waived throughput"));
  EXPECT_THAT(out, HasSubstr("127.4615 is false\n"));
}

TEST(Explain, WhatWasNotComparedHasNoFormula) {
  Check check = sample::memory(3, CheckStatus::missing);
  check.remarks = {shown::text("report 2 is not in the run")};
  EXPECT_EQ(explain(check, {}, sample::columns_80()),
            "missing memory_max_allocated rank 3  in MiB\n"
            "  rule      memory_max_allocated: each of all (reports 1 and 2), tolerance +10%\n"
            "  note      report 2 is not in the run\n");
}

TEST(Explain, NonFiniteMissNamesItsStep) {
  Check check = sample::loss(CheckStatus::fail);
  check.first_miss = shown::miss(20, "3.1", "nan", "", "train.log", 52);
  EXPECT_THAT(explain(check, {}, sample::columns_80()),
              HasSubstr("first     step 20: actual nan: never within a tolerance\n"));
}

TEST(Explain, WhatIsNotFiniteIsNotAmongTheComparedAndNothingElseIsFarOff) {
  EXPECT_EQ(explain(sample::not_finite_loss(), {}, sample::columns_80()),
            R"(fail lm_loss
  rule      lm_loss: each of first 15 (steps 1-15), tolerance ±0.01
  first     step 3: actual nan: never within a tolerance
            train.log:35
  compared  14 steps, none out of bounds, 1 more not finite
  baseline  baselines/tinygpt/dp2.json
)");
  Check both = sample::failed_loss();
  both.first_miss = shown::miss(1, "4.2", "nan", "", "train.log", 33);
  EXPECT_THAT(explain(both, {}, sample::columns_80()),
              HasSubstr("compared  15 steps; 14 not finite or out of bounds\n"));
}

TEST(Explain, WhatWasKeptOfAScriptThatStoodStillIsNamed) {
  Explanation hung;
  hung.report = sample::hung_case();
  EXPECT_THAT(explain_text(hung, false, sample::columns_80()), Not(HasSubstr("evidence")));
  hung.report.artifacts["evidence"] = ".gate/runs/1121-0203/mixtral_tp4_ep2/evidence.txt";
  EXPECT_THAT(explain_text(hung, false, sample::columns_80()),
              HasSubstr("limit 15m\nevidence  .gate/runs/1121-0203/mixtral_tp4_ep2/evidence.txt\n"));
}

TEST(Explain, CauseSaysItsClassItsLineAndWhatToDo) {
  EXPECT_EQ(explain(*sample::crashed_case().cause, sample::columns_80()),
            R"(cause CUDA out of memory
  class     crashed (cuda_out_of_memory)
  log       mixtral/log.txt:57: [rank3]: torch.OutOfMemoryError: CUDA out of
            memory. (8 times)
  advice    Use less memory.
)");
}

TEST(Explain, UngatedIsOneLineAReason) {
  EXPECT_EQ(explain({shown::ungated("throughput", "throughput", "other platform"),
                     shown::ungated("iteration_time", "", "other platform"),
                     shown::ungated("grad_norm", "", "no rule names it")},
                    sample::columns_80()),
            "ungated throughput, iteration_time: other platform\nungated grad_norm: no rule names it\n");
  EXPECT_EQ(explain(std::vector<Ungated>{}, sample::columns_80()), "");
}

}  // namespace
}  // namespace gate::render::explain_test
