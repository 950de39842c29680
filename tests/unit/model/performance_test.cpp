#include "gate/model/numbers/performance.h"

#include <gmock/gmock.h>

namespace gate::performance_test {
namespace {

TEST(TrainingShape, IsCalledByWhatIsTold) {
  EXPECT_EQ((TrainingShape{"LLaMA2", "7B", "4K", "Mcore", "1x8", "BF16"}.name()), "LLaMA2 7B 4K Mcore 1x8");
  EXPECT_EQ((TrainingShape{"GLM", "", "", "", "2x8", ""}.name()), "GLM 2x8");
}

TEST(Sequences, AreInTokens) {
  EXPECT_EQ(tokens_of_sequence("4K").value_or(0), 4096);
  EXPECT_EQ(tokens_of_sequence(" 128k ").value_or(0), 131072);
  EXPECT_EQ(tokens_of_sequence("4096").value_or(0), 4096);
  for (const char* none : {"", "K", "4M", "-4K", "4.5K", "1000000000K", "0"})
    EXPECT_FALSE(tokens_of_sequence(none)) << none;
  EXPECT_EQ(sequence_word(4096), "4K");
  EXPECT_EQ(sequence_word(1000), "1000");
}

TEST(SpeedUnits, HaveOneNameForTokensOfADevice) {
  for (const char* unit : {"tokens/p/s", "tokens/s/p", "Tokens/s/device", "tokens/s/NPU"})
    EXPECT_EQ(canonical_speed_unit(unit), "tokens/s/device") << unit;
  EXPECT_EQ(canonical_speed_unit(" samples/s"), "samples/s");
}

TEST(CasePerformance, ComparesWhatIsInOneUnit) {
  CasePerformance performance{{}, {{"tokens_per_second_per_device", "tokens/s/device", {4672, 0}}}};
  EXPECT_EQ(performance.comparable_reference(), nullptr);
  performance.reference = PerformanceRow{};
  performance.reference->unit = "tokens/p/s";
  EXPECT_EQ(performance.comparable_reference(), nullptr) << "which has no figure";
  performance.reference->reference = Decimal{3850, 0};
  ASSERT_NE(performance.comparable_reference(), nullptr);
  performance.reference->unit = "samples/s";
  EXPECT_EQ(performance.comparable_reference(), nullptr);
  performance.figures.clear();
  EXPECT_EQ(performance.comparable_reference(), nullptr);
}

}  // namespace
}  // namespace gate::performance_test
