#include "golden.h"

namespace gate::schema::golden_torchtitan_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(GoldenTorchtitan, ReadsStepAndLossALine) {
  const Baseline baseline = golden("1 8.048324584960938\n2 7.75e0\r\n\n10\t  3.65\n");
  EXPECT_EQ(baseline.origin, "torchtitan");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step: 1=8.048324584960938 2=7.75e0 10=3.65"));
  EXPECT_THAT(shown(golden("1 8.5")), ElementsAre("lm_loss [] step: 1=8.5"));
}

TEST(GoldenTorchtitan, PassesOverComments) {
  EXPECT_THAT(shown(golden("# llama3 debug model, 8 GPUs\n1 8.04\n#2 7.75\n\n  # seed 42\n3 7.03\n")),
              ElementsAre("lm_loss [] step: 1=8.04 3=7.03"));
}

TEST(GoldenTorchtitan, TakesTheNamesOfItsColumns) {
  const std::string config = "# config: debugmodel_fsdp2\n# ngpu: 2\n";
  EXPECT_THAT(shown(golden(config + "# step loss grad_norm\n1 12.5 24\n2 11.25 nan\n")),
              ElementsAre("lm_loss [] step: 1=12.5 2=11.25", "grad_norm [] step: 1=24 unrecorded 2"));
  EXPECT_THAT(shown(golden("#Step z_loss loss\n1 0.5 8\n")),
              ElementsAre("z_loss [] step: 1=0.5", "lm_loss [] step: 1=8"));
  EXPECT_THAT(shown(golden("# step loss grad_norm\n# step loss\n1 8.5\n# step a b c\n2 7.5\n")),
              ElementsAre("lm_loss [] step: 1=8.5 2=7.5"));
}

TEST(GoldenTorchtitan, RefusesRowsThatAreNotAsTheColumnsAreCalled) {
  for (const char* text : {"# step loss grad_norm\n1 8.5\n", "# step loss\n1 8.5 2.5\n", "# step\n1\n",
                           "# only comments\n", "# step loss\n1 8.5\n2\n"})
    EXPECT_THAT(golden_error(text), HasSubstr("not JSON")) << text;
  EXPECT_THAT(golden_error("# step loss Loss\n1 8.5 8.5\n"), HasSubstr("second series"));
}

TEST(GoldenTorchtitan, IsKnownByHowItBegins) {
  for (const char* text :
       {"1 8.5\nx\n", "# seed 1\n\n1 8.5 \n", "# step loss grad_norm\n1 8.5\n", "# a\n# step loss\n"})
    EXPECT_TRUE(begins_with_steps(text)) << text;
  for (const char* text : {"", "# only\n", "torch==2.1\n", "1 8.5 2.5\n", "1 2\n", "a step loss\n1 8.5\n"})
    EXPECT_FALSE(begins_with_steps(text)) << text;
}

TEST(GoldenTorchtitan, MarksWhatWasNotRecorded) {
  const Baseline baseline = golden("1 8.5\n2 nan\n3 inf\n");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step: 1=8.5 unrecorded 2, 3"));
  EXPECT_THAT(
      baseline.notes,
      ElementsAre(
          "loss: 2 values not recorded (nan or null, text \"inf\" among them), left out: steps 2, 3"));
}

TEST(GoldenTorchtitan, RefusesStepsThatAreNone) {
  EXPECT_EQ(golden_error("1 8.5\n1 8.4\n"), "g.json:2:1: step 1 a second time; remove one of them");
  EXPECT_EQ(golden_error("-1 8.5\n"), "g.json:1:1: \"-1\" is no step: a whole number is expected");
}

TEST(GoldenTorchtitan, IsNotAnyTextOfNumbers) {
  for (const char* text : {"1 8.5\n2 7.5 6.5\n", "1 8.5\nstep 2\n", "1 2\n", "1.5 2.5\n", "1 8.5 x\n"})
    EXPECT_THAT(golden_error(text), HasSubstr("not JSON")) << text;
}

TEST(GoldenTorchtitan, RefusesWhatIsTooLarge) {
  if (SANITIZED) GTEST_SKIP() << "takes long; the release tests it";
  std::string text;
  for (int i = 0; i <= 1'000'000; ++i) text += "1 2.\n";
  EXPECT_EQ(golden_error(text), "g.json: more than 1000000 lines");
}

}  // namespace
}  // namespace gate::schema::golden_torchtitan_test
