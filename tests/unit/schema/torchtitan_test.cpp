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
